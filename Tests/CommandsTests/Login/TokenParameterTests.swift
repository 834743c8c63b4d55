import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("Parameters of token requests")
struct TokenParameterTests {
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
