import CoreTestSupport

@testable import FIDO
@testable import SDKCore

@Suite("A login with a FIDO key, at a resource server")
struct FIDORenewalTests {
  private static let url = "https://api.test/v1/x"

  /// A world whose user has logged in with a key; the passcode is in a file.
  private static func world(
    _ settings: JSONObject = [:], passcode: String = "271828"
  ) async throws -> (World, FakeFIDOServer) {
    var settings = settings
    settings["reauthenticate"] = settings["reauthenticate"] ?? "fido"
    let (world, server) = try await FIDOServiceTests.registered(settings)
    try world.set(
      "fido.passcodeFile",
      to: .string(try world.folder.write("\(passcode)\n", to: "passcode", mode: 0o600)))
    server.rules.result = [HTTPField(known: "Authorization", "Bearer \(jwt(1))")]
    return (world, server)
  }

  private static func jwt(_ number: Int) -> String {
    let claims = #"{"n":\#(number),"exp":\#((World.now + 600).seconds)}"#
    return "eyJhbGciOiJIUzI1NiJ9.\(Base64.encode(Array(claims.utf8), alphabet: .url)).c2ln"
  }

  private static func send(_ world: World) async throws -> ResourceResponse {
    try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
  }

  private static func sent(_ world: World) -> [String?] {
    world.transport.sent.filter { $0.url == url }.map { $0.fields["Authorization"] }
  }

  @Test(
    "that answers 401 gets the credential of a new authentication, once", arguments: [200, 401])
  func again(second: Int) async throws {
    let (world, server) = try await Self.world()
    world.transport.respond(Self.url, .status(401), .status(second, "then"))
    #expect(try await Self.send(world).status == second)
    #expect(Self.sent(world) == ["Bearer a1", "Bearer \(Self.jwt(1))"])
    #expect(server.signed.count == 1)
    // It replaces what was stored.
    #expect(try await world.session().tokens.provider(in: .user)?.name == "jwt")
  }

  @Test("does not get a wrong passcode twice, which would lock the authenticator")
  func wrongPasscode() async throws {
    let (world, server) = try await Self.world(passcode: "000001")
    world.transport.respond(Self.url, .status(401))
    for _ in 0..<8 {
      await expect(.wrongPasscode) { try await Self.send(world) }
    }
    #expect(server.signed.isEmpty)
    #expect(
      try world.session().fido.login.authenticator().passcodeStatus()
        == .lastAttemptFailed(remainingTries: 4, coolDown: 0))
  }

  @Test("is told what is missing: a person, a key, a server")
  func missing() async throws {
    let (world, _) = try await Self.world()
    try world.set("fido.passcodeFile", to: .null)
    world.transport.respond(Self.url, .status(401))
    let person = await expect(.notAuthenticated) { try await Self.send(world) }
    #expect(person?.remedy == .login(.init(by: .fido)))
    _ = try await world.session().fido.forget()
    let key = await expect(.notRegistered) { try await Self.send(world) }
    #expect(key?.remedy == .registerFIDO)
    try world.set("fido.url", to: .null)
    await expect(.invalidConfiguration) { try await Self.send(world) }
  }

  @Test("lets a person confirm each transaction without a lock, and signs no other one")
  func transaction() async throws {
    let person = FIDOServiceTests.Person("271828")
    let (world, server) = try await FIDOServiceTests.registered()
    let session = try world.session()
    _ = try await session.fido.register("bob", asking: person.delegates)
    server.rules.transactions = [["contentType": "text/plain", "content": "cGF5"]]  // pay
    var delegates = person.delegates
    delegates.confirmation = { (transaction, key) throws(SDKError) in
      try await session.environment.locked(.login, waiting: .zero) { () throws(SDKError) in }
      return try await person.isConfirmed(transaction, with: key)
    }
    let login = FIDOLogin(session.loginContext, delegates)
    func renew() async throws {
      _ = try await login.slots.opening(.user, under: login.lock) { (slot) throws(SDKError) in
        try await login.newCredential(for: slot, TokenDemand())
      }
    }
    for count in 1...2 {
      // Whoever renews prepares again what may be prepared already.
      for _ in 1...2 { try await login.prepare(nil) }
      try await renew()
      #expect(person.questions.filter { $0 == "pay" }.count == count)
    }
    // Bob logs in while the lock is waited for.
    try await login.prepare(nil)
    try await world.credentials(.user).save(
      AuthorizationProvider(sessionToken: Self.jwt(1), of: "bob", obtained: World.now))
    await expect(.notAuthenticated) { try await renew() }
    #expect(server.signed.count == 2)
  }

  @Test("is used without the setting for a session that a key began")
  func choices() async throws {
    let (usual, server) = try await Self.world()
    try usual.set("reauthenticate", to: .null)
    _ = try await usual.session().fido.logIn()
    server.rules.result = [HTTPField(known: "Authorization", "Bearer \(Self.jwt(2))")]
    usual.transport.respond(Self.url, .status(401), .status(200))
    #expect(try await Self.send(usual).status == 200)
    #expect(Self.sent(usual) == ["Bearer \(Self.jwt(1))", "Bearer \(Self.jwt(2))"])
  }
}
