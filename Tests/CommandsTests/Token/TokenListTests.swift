import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("token list")
struct TokenListTests {
  @Test("lists the slots of all profiles with place, protection and expiry, and no token")
  func list() async throws {
    let program = try await TestProgram.loggedIn()
    try await program.store("anonymous-token", lifetime: -60, refreshToken: nil, in: .anonymous)
    var other = try Profile(name: ProfileName("other"))
    try other.set("issuer", to: "https://id.test")
    try await program.store.add(other)
    let directory = program.folder.file("store") + "/state/profiles/work/credentials"
    expect(
      try await program.run("token", "list"), .success,
      output: """
        work\tdefault\tuser\t2027-01-15T09:00:00Z\trefreshable\t-\t\(directory)/user.json\t\
        mode 0600\tstore\tbearer\t-
        work\tdefault\tanonymous\t2027-01-15T07:59:00Z\t-\t-\t\(directory)/anonymous.json\t\
        mode 0600\tstore\tbearer\t-

        """)
    #expect(program.transport.sent.isEmpty)
    let row = try await program.run("token", "list", "--json").json?.array?.first
    #expect(
      row == [
        "profile": "work", "userID": "default", "slot": "user", "source": "store",
        "file": .string("\(directory)/user.json"),
        "protection": "mode 0600", "expires": "2027-01-15T09:00:00Z", "expired": false,
        "scope": "a b", "refreshable": true, "sealed": false,
        "idToken": false, "cookies": .null, "error": .null, "authenticator": .null,
        "provider": "bearer",
      ])
    #expect(try await program.run("-p", "other", "token", "list").output == "")
  }

  @Test("shows the token of the environment first, with the expiry of a JWT")
  func environment() async throws {
    let program = try await TestProgram.loggedIn()
    // {"alg":"none"} and {"exp":1800000600}
    program.setVariable("BEARER_TOKEN", "eyJhbGciOiJub25lIn0.eyJleHAiOjE4MDAwMDA2MDB9.AAAA")
    let run = try await program.run("token", "list")
    #expect(
      run.output.hasPrefix(
        "-\t-\tuser\t2027-01-15T08:10:00Z\t-\t-\t-\tenvironment\tBEARER_TOKEN\tbearer\t-\nwork\t"))
    program.setVariable("BEARER_TOKEN", nil)
    program.setVariable("BEARER_TOKEN_FILE", try program.folder.write("opaque\n", to: "token"))
    let row = try await program.run("token", "list", "--json").json?.array?.first
    #expect(row?["source"] == "BEARER_TOKEN_FILE")
    #expect(row?["file"] == .string(program.folder.file("token")))
    #expect(row?["profile"] == .null)
    #expect(row?["expires"] == .null)
  }

  @Test("names the keys of authenticators")
  func keys() async throws {
    let (program, _) = try await FIDORegisterTests.registered()
    let list = try await program.run("token", "list", "--json").json?.array
    let row = try #require(list?.first { $0["slot"] == "fido" })
    #expect(row["authenticator"]?["username"] == "alice")
    #expect(row["authenticator"]?["aaid"] == "FFFF#0001")
  }
}
