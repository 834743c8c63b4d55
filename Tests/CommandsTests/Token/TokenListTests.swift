import CoreTestSupport

@testable import Commands

@Suite("token list")
struct TokenListTests {
  @Test("names the keys of authenticators")
  func keys() async throws {
    let (program, _) = try await FIDORegisterTests.registered()
    let list = try await program.run("token", "list", "--json").json?.array
    let row = try #require(list?.first { $0["slot"] == "fido" })
    #expect(row["authenticator"]?["username"] == "alice")
    #expect(row["authenticator"]?["aaid"] == "FFFF#0001")
  }
}
