import Arguments
import CoreTestSupport

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
}
