import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("Parameters of token requests")
struct TokenParameterTests {
  @Test(
    "of the profile are in each token request, and those of an option replace them for one login")
  func sent() async throws {
    let program = try await LoginTests.program([
      "tokenParameters": "tenant=acme&a=1&a=2", "passwordGrant": true,
    ])
    let words = ["login", "password", "alice", "--password-file", "-"]
    _ = try await program.run(words + ["--token-param", "tenant=other"], input: "pw")
    var form = try #require(LoginPasswordTests.sent(program))
    #expect(form.values(of: "tenant") == ["other"])
    #expect(form.values(of: "a") == ["1", "2"])
    #expect(form["username"] == "alice")
    _ = try await program.run("token", "--fresh")
    form = try #require(LoginPasswordTests.sent(program))
    #expect(form["grant_type"] == "refresh_token")
    #expect(form.values(of: "tenant") == ["acme"])
    _ = try await program.run("login", "--anonymous", "--token-param", "b=3")
    form = try #require(LoginPasswordTests.sent(program))
    #expect(form["grant_type"] == "client_credentials")
    #expect(form["b"] == "3")
  }

  @Test("with a file have its content, which neither the trace nor an error shows")
  func secret() async throws {
    let program = try await LoginTests.program(["passwordGrant": true])
    let file = try program.folder.write("s3cretvalue\n", to: "value", mode: 0o600)
    let trace = program.folder.file("trace")
    _ = try await program.run("profile", "set", "tokenParameters=key=@\(file)")
    program.transport.respond(
      FakeServer.tokenURL,
      .json(
        #"{"error":"invalid_grant","error_description":"no s3cretvalue here"}"#, status: 400))
    let words = ["login", "password", "alice", "--password-file", "-", "--trace", trace]
    for more in [[], ["--token-param", "word=@\(file)"]] {
      let run = try await program.run(words + more, input: "password-1")
      #expect(LoginPasswordTests.sent(program)?[more.isEmpty ? "key" : "word"] == "s3cretvalue")
      #expect(run.status == .status(.refused), "\(run)")
      #expect(run.errors.contains("no ‹redacted› here"), "\(run)")
      let text = try program.folder.text(of: "trace")
      #expect(text.contains("key") && !text.contains("s3cretvalue"))
    }
    let open = try program.folder.write("s3cretvalue", to: "open", mode: 0o644)
    let count = program.transport.sent.count
    let run = try await program.run(words + ["--token-param", "key=@\(open)"], input: "pw")
    #expect(run.status == .status(.configuration), "\(run)")
    #expect(program.transport.sent.count == count)
  }

  @Test(
    "with a name that token requests have are refused",
    arguments: [
      "grant_type=x", "client_id=x", "client_secret=x", "scope=x", "refresh_token=x", "code=x",
      "resource=x", "client_assertion=x", "username=x", "x", "=x", "x=@",
    ])
  func reserved(text: String) async throws {
    let program = try await LoginTests.program()
    let run = try await program.run("login", "--token-param", text)
    #expect(run.status == .status(.usage), "\(run)")
    let set = try await program.run("profile", "set", "tokenParameters=a=1&\(text)")
    let isEmptyValue = text == "x"
    #expect((set.status == .status(.success)) == isEmptyValue, "\(set)")
    #expect(program.transport.sent.isEmpty)
  }

  @Test("of a profile name files by absolute paths, which an import must agree to")
  func files() async throws {
    let program = try await LoginTests.program()
    let relative = try await program.run("profile", "set", "tokenParameters=a=@secret")
    #expect(relative.status == .status(.configuration), "\(relative)")
    let profile = try Profile(name: try ProfileName("p"))
    for (value, effect) in [("a=@/etc/secret", SettingChange.Effect.local), ("a=b", nil)] {
      var new = profile
      try new.set("tokenParameters", to: .string(value))
      #expect(profile.changes(to: new).map(\.effect) == [effect])
    }
  }
}
