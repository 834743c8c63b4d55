import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("--trace with an HTTP archive")
struct ArchiveTests {
  @Test("has an entry for each exchange, without the secrets that the text has not either")
  func entries() async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    program.transport.respond(
      "https://api.test/v1/x?page=2&access_token=query-secret",
      .json(#"{"api_key":"body-secret","name":"shown"}"#))
    let file = program.folder.file("trace.har")
    try program.folder.write("old", to: "trace.har")
    let words = ["login", "password", "alice", "--password-file", "-", "--trace", file]
    #expect(try await program.run(words, input: "pass-word").status == .status(.success))
    var archive = try JSON(parsing: program.folder.text(of: "trace.har"))
    #expect(archive["log"]?["version"] == "1.2")
    #expect(archive["log"]?["creator"]?["name"] == "sdkctl")
    var entries = try #require(archive["log"]?["entries"]?.array)
    let urls = entries.map { $0["request"]?["url"]?.string }
    #expect(urls == [FakeServer.metadataURL, FakeServer.tokenURL])
    let post = entries[1]
    #expect(post["request"]?["method"] == "POST")
    #expect(
      post["request"]?["postData"]?["params"]?.array?
        .contains(["name": "password", "value": "‹redacted›"]) == true,
      "\(post)")
    #expect(post["response"]?["status"] == 200)
    #expect(post["response"]?["content"]?["text"]?.string?.contains("‹redacted›") == true)
    let text = try program.folder.text(of: "trace.har")
    for secret in ["pass-word", "secret-1", "\"a1\"", "\"r1\""] { #expect(!text.contains(secret)) }
    #expect(try program.folder.mode(of: "trace.har") == 0o600)

    _ = try await program.run("fetch", "/x?page=2&access_token=query-secret", "--trace", file)
    archive = try JSON(parsing: program.folder.text(of: "trace.har"))
    entries = try #require(archive["log"]?["entries"]?.array)
    let fetch = try #require(entries.last)
    #expect(
      fetch["request"]?["queryString"]
        == [
          ["name": "page", "value": "2"], ["name": "access_token", "value": "‹redacted›"],
        ])
    let headers = fetch["request"]?["headers"]?.array ?? []
    #expect(
      headers.contains(["name": "Authorization", "value": "Bearer ‹redacted›"]), "\(headers)")
    #expect(fetch["response"]?["content"]?["text"]?.string?.contains("shown") == true)
    let shown = try program.folder.text(of: "trace.har")
    for secret in ["query-secret", "body-secret"] { #expect(!shown.contains(secret)) }
    // What HAR 1.2 requires of an entry.
    for name in ["startedDateTime", "time", "request", "response", "cache", "timings"] {
      #expect(fetch[name] != nil, "\(name)")
    }
    for name in ["send", "wait", "receive"] { #expect(fetch["timings"]?[name]?.int != nil) }
  }

  @Test("is complete after a failure, and without any exchange")
  func complete() async throws {
    let program = try await TestProgram.loggedIn()
    program.transport.respond("https://api.test/v1/x", .failure(.connection, "no route"))
    let file = program.folder.file("trace.har")
    let run = try await program.run("fetch", "/x", "--trace", file)
    #expect(run.status == .status(.network), "\(run)")
    let archive = try JSON(parsing: program.folder.text(of: "trace.har"))
    let entry = try #require(archive["log"]?["entries"]?.array?.last)
    #expect(entry["response"]?["status"] == 0)
    #expect(entry["comment"]?.string?.contains("no route") == true, "\(entry)")
    _ = try await program.run("token", "--trace", file)
    #expect(
      try JSON(parsing: program.folder.text(of: "trace.har"))["log"]?["entries"] == [])
  }

  @Test("has the exchanges of all profiles and all renewals of a command")
  func several() async throws {
    let program = try await TestProgram.loggedIn(["pinPolicy": "report"], lifetime: 40)
    let file = program.folder.file("trace.har")
    try program.store.create(
      ProfileName("other"), settings: ["issuer": "https://other.test"], pins: nil)
    var words = ["doctor", "--online", "--trace", file]
    _ = try await program.run(words)
    var urls = try Self.urls(in: program)
    for host in ["id.test", "other.test"] {
      #expect(urls.contains("https://\(host)/.well-known/openid-configuration"), "\(urls)")
    }
    let tokens = ["u2", "u3"].map {
      FakeTransport.Response.json(
        #"{"access_token":"\#($0)","token_type":"Bearer","expires_in":100,"refresh_token":"r"}"#)
    }
    program.transport.respond(
      FakeServer.tokenURL, tokens + [.json(#"{"error":"invalid_grant"}"#, status: 400)])
    words = ["token", "-o", program.folder.file("token"), "--watch", "--trace", file]
    _ = try await program.run(words)
    urls = try Self.urls(in: program)
    #expect(urls.count { $0 == FakeServer.tokenURL } == 3, "\(urls)")
  }

  private static func urls(in program: TestProgram) throws -> [String] {
    let archive = try JSON(parsing: program.folder.text(of: "trace.har"))
    return archive["log"]?["entries"]?.array?.compactMap { $0["request"]?["url"]?.string } ?? []
  }
}
