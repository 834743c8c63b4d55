import Arguments
import HTTP
import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("fetch --write-out")
struct WriteOutTests {
  private static func program(
    _ answer: FakeTransport.Response = .json("1")
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", [answer])
    return program
  }

  @Test(
    "writes variables, fields and escapes after the body",
    arguments: [
      (#" %{http_code} %{content_type}\n"#, "1 200 application/json\n"),
      (#"%{response_code}%%\t\\x\q"#, "1200%\t\\\\x\\q"),
      ("%header{content-type}|%header{none}", "1application/json|"),
      ("%{method} %{url} %{url_effective}", "1GET /me https://api.test/v1/me"),
      ("%{num_headers} %{num_redirects} %{http_version} %{scheme}", "11 0 1.1 HTTPS"),
      ("%{exitcode}%{errormsg}", "10"),
      ("%{header_json}", #"1{"content-type":["application/json"]}"#),
      ("%x %", "1%x %"),
    ])
  func format(format: String, output: String) async throws {
    let run = try await Self.program().run("fetch", "/me", "-w", format)
    expect(run, .success, output: output)
  }

  @Test("reads the format from a file")
  func file() async throws {
    let program = try await Self.program()
    let path = try program.folder.write("%{http_code}\\n\n", to: "format")
    expect(try await program.run("fetch", "/me", "-w", "@\(path)"), .success, output: "1200\n")
    try program.folder.write("%{what}", to: "format")
    let run = try await program.run("fetch", "/me", "-w", "@\(path)")
    #expect(run.status == .status(.usage))
  }

  @Test("has the failure of a transfer")
  func failure() async throws {
    let program = try await Self.program(.failure(.connection, "broken"))
    let run = try await program.run("fetch", "/me", "-w", "%{http_code} %{exitcode} %{errormsg}")
    #expect(run.status == .status(.network))
    #expect(run.output == "000 6 could not fetch https://api.test/v1/me: broken")
    let refused = try await Self.program(.status(404, "no"))
    let second = try await refused.run("fetch", "/me", "-w", "%{http_code} %{exitcode}")
    #expect(second.output == "no404 12")
  }

  @Test(
    "has what was measured, also after an HTTP error and of a transfer that failed",
    arguments: [FakeTransport.Response.json("1"), .status(404, "no"), .failure(.timeout, "slow")])
  func measured(response: FakeTransport.Response) async throws {
    var (response, metrics) = (response, TransferMetrics())
    (metrics.total, metrics.downloaded) = (.milliseconds(1500), 2)
    metrics.remote = TransferMetrics.Endpoint(address: "192.0.2.1", port: 443)
    response.metrics = metrics
    response.error?.metrics = metrics
    let run = try await Self.program(response).run(
      "fetch", "/me", "-w", "|%{time_total} %{size_download} %{remote_ip}")
    #expect(run.output.hasSuffix("|1.500000 2 192.0.2.1"))
  }

  @Test("adds up the redirects, and has the method of the last request")
  func redirects() async throws {
    let program = try await TestProgram.loggedIn([:])
    var (redirect, end) = (
      FakeTransport.Response.redirect(303, to: "https://api.test/v1/you"),
      FakeTransport.Response.json("1")
    )
    (redirect.metrics.headerSize, redirect.metrics.requestSize) = (100, 10)
    (redirect.metrics.connections, redirect.metrics.total) = (1, .seconds(1))
    (end.metrics.headerSize, end.metrics.requestSize) = (20, 2)
    (end.metrics.connections, end.metrics.total) = (1, .seconds(2))
    program.transport.respond("https://api.test/v1/me", redirect)
    program.transport.respond("https://api.test/v1/you", end)
    let run = try await program.run(
      "fetch", "/me", "-d", "x", "-w",
      " %{num_redirects} %{size_header} %{size_request} %{num_connects} %{time_redirect} "
        + "%{time_total} %{method}")
    #expect(run.output == "1 1 120 12 2 1.000000 3.000000 GET")
  }

  @Test("has every variable in one JSON object")
  func json() async throws {
    let run = try await Self.program().run("fetch", "/me", "-w", "\\n%{json}")
    let line = try #require(run.output.split(separator: "\n").last)
    let object = try JSON(parsing: String(line))
    #expect(object["http_code"] == 200)
    #expect(object["time_total"]?.double != nil)
    #expect(object["errormsg"] == .null)
  }

  @Test("has the field Referer, and what a transfer without a proxy has")
  func request() async throws {
    let run = try await Self.program().run(
      "fetch", "/me", "-H", "Referer: https://x.test/", "-w",
      "|%{referer} %{num_retries} %{num_certs} %{proxy_used}")
    expect(run, .success, output: "1|https://x.test/ 0 0 0")
  }

  @Test("counts the repetitions")
  func retries() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", [.status(503), .json("1")])
    let run = try await program.run("fetch", "/me", "--retry", "3", "-w", " %{num_retries}", "-q")
    #expect(run.output == "1 1")
  }

  @Test("asks for the certificates only if they are written")
  func certificates() async throws {
    let program = try await Self.program()
    for (format, isAsked) in [
      ("%{certs}", true), ("%{num_certs}", true), ("%{json}", true), ("%{http_code}", false),
    ] {
      _ = try await program.run("fetch", "/me", "-w", format)
      #expect(program.transport.sent.last?.describesCertificates == isAsked, "\(format)")
    }
  }

  @Test("has the identity that could be shown, as --json does")
  func identity() async throws {
    let program = try await TestProgram.withIdentities([("alice", try IdentityFixture())])
    program.transport.respond("https://api.test/v1/me", .json("1"))
    let words = ["fetch", "--unauth", "/me", "--identity", "alice"]
    expect(try await program.run(words + ["-w", "%{identity}"]), .success, output: "1alice")
    let run = try await program.run(words + ["--json"])
    #expect(try JSON(parsing: run.output)["identity"] == "alice")
    let other = try await program.run("fetch", "--unauth", "/me", "--no-identity", "--json")
    #expect(try JSON(parsing: other.output)["identity"] == .null)
  }

  @Test(
    "is refused before a request is sent",
    arguments: ["%{nothing}", "%{http_code", "%header{x", "%{}"])
  func refused(format: String) async throws {
    let program = try await Self.program()
    let run = try await program.run("fetch", "/me", "-w", format)
    #expect(run.status == .status(.usage))
    #expect(program.transport.sent.isEmpty)
  }
}
