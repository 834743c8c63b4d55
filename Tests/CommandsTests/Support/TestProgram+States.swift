import CoreTestSupport

@testable import Commands
@testable import SDKCore

// The states of a store that many tests begin with.
extension TestProgram {
  /// A program with a registered client and a user who is logged in.
  ///
  /// The server refreshes and revokes tokens; `client` are further members of the registration.
  static func loggedIn(
    _ settings: [String: JSON] = [:], lifetime: Int64? = 3600,
    refreshToken: String? = "refresh-1", client: JSONObject = [:]
  ) async throws -> TestProgram {
    let program = try TestProgram(settings)
    try await program.register(client)
    try await program.store("u1", lifetime: lifetime, refreshToken: refreshToken)
    program.transport.respond(
      FakeServer.tokenURL,
      .json(#"{"access_token":"u2","token_type":"Bearer","expires_in":600}"#))
    program.transport.respond("https://id.test/revoke", .status(200))
    return program
  }

  /// The pins of the profile `work`.
  func pinSets() throws -> [PinSet] { try PinStore(store.location, name).load().sets }

  /// The identities of the profile `work`.
  var identities: IdentityStore { IdentityStore(store, name, now: { TestProgram.now }) }

  /// These hosts show a chain that is trusted from now on.
  func trust(_ hosts: String...) {
    for host in hosts { show(.success(.trusted(host)), at: "\(host):443") }
  }
}
