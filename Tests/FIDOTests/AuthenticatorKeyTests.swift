import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The keys of an authenticator")
struct AuthenticatorKeyTests {
  @Test("are made only if the policy of the server accepts the authenticator")
  func policy() async throws {
    let world = try World()
    let authenticator = try world.authenticator()
    for policy in [
      TestAuthenticator.accepting("ABCD#0001"),
      TestAuthenticator.accepting().with(["disallowed"], [["aaid": ["FFFF#0001"]]]),
    ] {
      let request = try TestAuthenticator.registration(policy: policy)
      #expect(try !authenticator.isAccepted(by: request, facetID: TestAuthenticator.facetID))
      let passcodes = ScriptedPasscodes("271828")
      let error = await #expect(throws: SDKError.self) {
        try await authenticator.register(request, by: AuthenticatorDelegates(passcode: passcodes))
      }
      #expect(error?.clientErrorCode == .noSuitableAuthenticator)
      #expect(error?.remedy == nil)
      #expect(passcodes.objections == [])
    }
  }

  @Test(
    "are not read if a member is missing or invalid",
    arguments: [
      ("keyID", nil), ("keyID", ""), ("keyID", "not base64url!"), ("keyID", 1), ("appID", nil),
      ("username", nil), ("createdAt", "yesterday"), ("encoding", "x"), ("signCounter", -1),
      ("signCounter", 4_294_967_296), ("key", "x"),
    ] as [(String, JSON?)])
  func stored(member: String, value: JSON?) async throws {
    let world = try await AuthenticatorPasscodeTests.registered()
    let authenticator = try world.authenticator()
    let key = try authenticator.keys()[0]
    let aaid = authenticator.settings.aaid
    let type = StoredType.list(of: AuthenticatorKey.type(of: aaid))
    func read(_ keys: JSON?) throws -> [AuthenticatorKey] {
      try StoredFields(["keys": keys ?? []], in: "x").required("keys", nil, type)
    }
    var keys = try #require(type.write([key])?.array)
    #expect(try read(.array(keys)) == [key])
    keys[0][member] = value
    let error = #expect(throws: SDKError.self) { try read(.array(keys)) }
    #expect(error?.message.contains("'keys[0].\(member)' is ") == true)
  }

  @Test("are not made again for a user who has one, if the server says so")
  func registeredBefore() async throws {
    let world = try await AuthenticatorPasscodeTests.registered()
    let authenticator = try world.authenticator()
    let key = try authenticator.keys()[0]
    let policy = TestAuthenticator.accepting().with(
      ["disallowed"], [["aaid": ["FFFF#0001"], "keyIDs": [.string(key.keyID)]]])
    let request = try TestAuthenticator.registration(policy: policy)
    #expect(try !authenticator.isAccepted(by: request, facetID: TestAuthenticator.facetID))
  }

  /// Chooses the key of a user.
  private static func choosing(_ username: String) -> AuthenticatorDelegates.AccountSelection {
    { (keys, _) throws(SDKError) in
      guard let key = keys.first(where: { $0.username == username }) else {
        throw SDKError(.cancelled, "nobody has chosen")
      }
      return key
    }
  }

  @Test("are chosen by account, and by who is asked among several")
  func accounts() async throws {
    let world = try await AuthenticatorPasscodeTests.registered()
    let authenticator = try world.authenticator()
    try await authenticator.enrol("bob")
    func sign(
      _ account: String?, _ choice: AuthenticatorDelegates.AccountSelection?
    ) async throws(SDKError) -> String {
      let person = AuthenticatorDelegates(passcode: ScriptedPasscodes("271828"), account: choice)
      return try await authenticator.authenticate(account: account, by: person).key.username
    }
    #expect(try await sign("bob", nil) == "bob")
    #expect(try await sign(nil, Self.choosing("alice")) == "alice")
    for (account, choice) in [(nil, nil), ("carol", Self.choosing("bob"))] {
      let error = await #expect(throws: SDKError.self) { _ = try await sign(account, choice) }
      #expect(error?.clientErrorCode == .noSuitableAuthenticator)
    }
    let bob = try authenticator.keys()[1]
    let policy: JSON = ["accepted": [[["aaid": ["FFFF#0001"], "keyIDs": [.string(bob.keyID)]]]]]
    let named = try TestAuthenticator.authentication(policy: policy)
    #expect(
      try authenticator.keys(for: named, facetID: TestAuthenticator.facetID).map(\.username)
        == ["bob"])
  }

  @Test("belong to one application: another one cannot use or delete them")
  func applications() async throws {
    let world = try await AuthenticatorPasscodeTests.registered()
    let authenticator = try world.authenticator()
    let element: JSON = [
      "header": ["upv": ["major": 1, "minor": 1], "op": "Dereg"],
      "authenticators": [["aaid": "", "keyID": ""]],
    ]
    let foreign = try UAFDeregistrationRequest(parsing: JSON.array([element]).serialized())
    #expect(try await authenticator.deregister(foreign, facetID: TestAuthenticator.facetID) == [])
    #expect(try authenticator.keys().count == 1)
    // An empty appID is the facet.
    #expect(
      try await authenticator.deregister(foreign, facetID: TestAuthenticator.appID).count == 1)
  }

  @Test("are deleted as the server says, and the passcode with the last of them")
  func deleted() async throws {
    let world = try await AuthenticatorPasscodeTests.registered()
    let authenticator = try world.authenticator()
    try await authenticator.enrol("bob")
    let keys = try authenticator.keys()
    let other = try TestAuthenticator.deregistration([["aaid": "ABCD#0001", "keyID": ""]])
    #expect(try await authenticator.deregister(other, facetID: "") == [])
    let one = try TestAuthenticator.deregistration([
      ["aaid": "ffff#0001", "keyID": .string(keys[0].keyID)]
    ])
    #expect(try await authenticator.deregister(one, facetID: "") == [keys[0]])
    #expect(try authenticator.passcodeStatus() == .unlocked)
    #expect(try await authenticator.forget("AAAA") == nil)
    #expect(try await authenticator.forget(keys[1].keyID) == keys[1])
    #expect(try authenticator.keys() == [])
    #expect(try authenticator.passcodeStatus() == .notEnrolled)
    // The counter goes on.
    let next = try await authenticator.enrol(passcode: "314159")
    let assertion = try RegistrationAssertion(
      parsing: try TestAuthenticator.assertion(next.message))
    #expect(assertion.data.registrationCounter == 3)
  }

  @Test("need no person only if the profile says so, and never one that a passcode protects")
  func noVerification() async throws {
    let world = try World()
    let silent = try AuthenticatorSettings(userVerification: .none, allowsNoVerification: true)
    let authenticator = try world.authenticator(silent)
    let nobody = AuthenticatorDelegates()
    #expect(try await authenticator.register(by: nobody).key.place == "file")
    try await authenticator.authenticate(by: nobody)
    // The settings of the profile change: neither serves in place of the other.
    let asking = await #expect(throws: SDKError.self) {
      try await world.authenticator().authenticate()
    }
    #expect(asking?.clientErrorCode == .userNotEnrolled)
    try await world.authenticator().enrol("bob")
    let unprotected = await #expect(throws: SDKError.self) {
      try await world.authenticator().authenticate(account: "alice")
    }
    #expect(unprotected?.clientErrorCode == .authenticatorAccessDenied)
    let other = try await AuthenticatorPasscodeTests.registered()
    let refused = await #expect(throws: SDKError.self) {
      try await other.authenticator(silent).authenticate(by: nobody)
    }
    #expect(refused?.clientErrorCode == .authenticatorAccessDenied)
  }

  @Test(
    "can be in a security token",
    .enabled(if: SoftHSM.isExpected, "needs SoftHSM and OpenSC"))
  func securityToken() async throws {
    let world = try World()
    let token = try SoftHSM("work")
    try token.makeKey("fido", id: "01")
    try token.makeKey("large", curve: "secp384r1", id: "02")
    let home = world.folder.path
    let configuration = token.configuration
    // A process has one PKCS #11 module: this one may have another.
    await #expect(processExitsWith: .success) {
      [home = home as String, configuration = configuration as String] in
      try await SecurityTokenProcess.run(home: home, configuration: configuration)
    }
    let key = try #require(try world.authenticator().keys().first)
    #expect(key.place == "security token")
    #expect(key.signCounter == 2)
  }
}

extension JSON {
  /// The document with another member.
  fileprivate func with(_ path: [String], _ value: JSON) -> JSON {
    var changed = self
    if let name = path.first { changed[name] = value }
    return changed
  }
}
