import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("FIDO operations")
struct FIDOServiceTests {
  /// A person who types passcodes and decides about transactions.
  final class Person: PasscodeEntry {
    private let passcodes: Mutex<[String]>
    private let heard = Mutex<[String]>([])
    let confirms: Bool

    init(_ passcodes: String..., confirms: Bool = true) {
      self.passcodes = Mutex(passcodes)
      self.confirms = confirms
    }

    /// What was asked, in order.
    var questions: [String] { heard.withLock { $0 } }

    var delegates: AuthenticatorDelegates {
      AuthenticatorDelegates(
        passcode: self, account: { keys, _ in keys[0] }, confirmation: isConfirmed)
    }

    private func answer(_ question: String) throws(SDKError) -> [UInt8] {
      heard.withLock { $0.append(question) }
      let passcode = passcodes.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
      guard let passcode else { throw SDKError(.cancelled, cause: "nobody answers") }
      return Array(passcode.utf8)
    }

    func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
      try answer("new" + (enrolment.violation.map { ": \($0)" } ?? ""))
    }

    func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
      guard case .authenticator(_, let username) = verification.owner else { return [] }
      return try answer("passcode \(username)")
    }

    func isConfirmed(
      _ transaction: UAFTransaction, with key: AuthenticatorKey
    ) async throws(SDKError) -> Bool {
      if case .text(let text) = transaction.content { heard.withLock { $0.append(text) } }
      return confirms
    }
  }

  static func world(_ settings: JSONObject = [:]) throws -> (World, FakeFIDOServer) {
    let world = try World(
      settings.merging(["fido.url": .string(FakeFIDOServer.origin), "fido.user": "alice"]) {
        left, _ in left
      })
    return (world, FakeFIDOServer(world.transport))
  }

  /// A world with a key of alice, whose passcode is 271828.
  static func registered(_ settings: JSONObject = [:]) async throws -> (World, FakeFIDOServer) {
    let (world, server) = try await loggedIn(settings)
    try await register(world)
    return (world, server)
  }

  /// A world whose user has logged in without a key.
  static func loggedIn(_ settings: JSONObject = [:]) async throws -> (World, FakeFIDOServer) {
    let (world, server) = try world(settings)
    try await world.store("a1")
    return (world, server)
  }

  @discardableResult
  private static func register(
    _ world: World, _ person: Person = Person("271828")
  ) async throws -> AuthenticatorKey {
    try await world.session().fido.register(asking: person.delegates)
  }

  private static func logIn(
    _ world: World, _ person: Person = Person("271828"), _ account: String? = nil
  ) async throws -> AuthorizationProvider {
    try await world.session().fido.logIn(account, asking: person.delegates)
  }

  @Test("register a key with the session of the user, and a passcode that the policy allows")
  func register() async throws {
    let (world, server) = try await Self.loggedIn()
    let person = Person("1", "271828")
    let key = try await Self.register(world, person)
    #expect(key.username == "alice" && key.appID == "\(FakeFIDOServer.origin)/facets")
    #expect(server.keys.map(\.keyID) == [key.keyID])
    #expect(person.questions == ["new", "new: the passcode has fewer than 6 characters"])
    #expect(
      server.paths == ["/uaf/1.1/request/registration/", "/facets", "/uaf/1.1/registration/"])
    #expect(server.requests[0].fields["Authorization"] == "Bearer a1")
    #expect(server.requests[2].fields["Authorization"] == nil)
    #expect(try world.session().fido.keys().map(\.keyID) == [key.keyID])
  }

  @Test("need somebody who is logged in to register a key, by something else than a key")
  func withoutSession() async throws {
    let (world, server) = try Self.world()
    let error = await expect(
      .notAuthenticated, "could not use the user's token: nobody is logged in to 'work'"
    ) { try await Self.register(world) }
    #expect(error?.remedy == .login)
    #expect(server.requests.isEmpty)
  }

  @Test("need a session that can be read, and advise no login that does not help")
  func damagedSession() async throws {
    let (world, server) = try await Self.loggedIn()
    try world.folder.write("{", to: World.userFile)
    let error = await expect(.store) { try await Self.register(world) }
    #expect(error?.remedy == .eraseTokens(.user))
    #expect(server.requests.isEmpty)
  }

  @Test("delete a key that the server refuses at its registration")
  func refused() async throws {
    for (status, code) in [(1496, SDKError.Code.refused), (1480, .refused)] {
      let (world, server) = try await Self.loggedIn()
      server.rules.registrationVerdict = status
      await expect(code) { try await Self.register(world) }
      #expect(try world.session().fido.keys().isEmpty)
    }
  }

  @Test("keep a key that the server may have: it did not say what became of the registration")
  func undecided() async throws {
    let answers: [(FakeTransport.Response, SDKError.Code)] = [
      (.status(503), .network), (.failure(.cancelled, "cancelled"), .cancelled),
      (.other(200, "application/fido+uaf", "{"), .malformedResponse),
      (.other(200, "application/fido+uaf", #"{"statusCode":1202}"#), .busy),
      (.other(200, "application/fido+uaf", #"{"statusCode":1500}"#), .network),
    ]
    for (answer, code) in answers {
      let (world, server) = try await Self.loggedIn()
      server.rules.answers["/uaf/1.1/registration/"] = answer
      await expect(code) { try await Self.register(world) }
      #expect(try world.session().fido.keys().count == 1)
    }
  }

  @Test("hear what the server says of a key also if the task is cancelled meanwhile")
  func cancelled() async throws {
    let (world, server) = try await Self.loggedIn()
    let fido = try world.session().fido
    let task = Mutex<Task<AuthenticatorKey, any Error>?>(nil)
    var answer = FakeTransport.Response.other(200, "application/fido+uaf", #"{"statusCode":1496}"#)
    answer.effect = { task.withLock { $0?.cancel() } }
    server.rules.answers["/uaf/1.1/registration/"] = answer
    let registering = task.withLock { task in
      let new = Task { try await fido.register(asking: Person("271828").delegates) }
      task = new
      return new
    }
    await expect(.refused) { try await registering.value }
    #expect(try fido.keys().isEmpty)
  }

  @Test("log a user in, and store the cookies")
  func cookies() async throws {
    let (world, server) = try await Self.registered()
    let person = Person("271828")
    let provider = try await Self.logIn(world, person)
    #expect(person.questions == ["passcode alice"])
    guard case .cookies(let session) = provider else { throw Unmet("\(provider)") }
    #expect(session.cookies.map(\.value) == ["s1"] && session.user == "alice")
    #expect(try await world.session().tokens.provider(in: .user) == provider)
    #expect(server.signed.map(\.signCounter) == [2])
    #expect(server.requests.last?.fields["Cookie"] == nil)
  }

  @Test(
    "log a user in, and find the JWT in the documented places",
    arguments: ["header", "token", "jwt", "tokens", "profile"])
  func jwt(place: String) async throws {
    let claims = Base64.encode(Array(#"{"exp":1800000060}"#.utf8), alphabet: .url)
    let text = "eyJhbGciOiJIUzI1NiJ9.\(claims).c2ln"
    let (world, server) = try await Self.registered(
      place == "profile" ? ["fido.jwt": "member:a.b", "fido.provider": "jwt"] : [:])
    switch place {
    case "header":
      server.rules.result.append(HTTPField(known: "Authorization", "Bearer \(text)"))
    case "tokens":
      server.rules.members["additionalTokens"] = [["type": "JWT", "value": .string(text)]]
    case "profile": server.rules.members["a"] = ["b": .string(text)]
    default: server.rules.members[place] = .string(text)
    }
    let provider = try await Self.logIn(world)
    #expect(provider.name == "jwt" && provider.tokens?.accessToken == text)
    #expect(provider.expires == World.now + 60)
  }

  @Test("let a person choose among several authenticators with keys, unless one is named")
  func models() async throws {
    let (world, server) = try await Self.registered()
    let fido = try world.session().fido
    let other = try #require(AAID("F1D0#1001"))
    var delegates = Person("271828").delegates
    delegates.authenticator = { _ in other }
    _ = try await fido.logIn(asking: delegates)
    #expect(server.signed.last?.aaid.description == "FFFF#0001")
    _ = try await fido.register(at: other, asking: Person("271828").delegates)
    for (model, named, signer) in [
      ("F1D0#1001", nil, "F1D0#1001"), ("FFFF#0001", nil, "FFFF#0001"),
      ("FFFF#0001", other, "F1D0#1001"),
    ] as [(String, AAID?, String)] {
      delegates.authenticator = { AAID(model) ?? $0[0] }
      _ = try await fido.logIn(at: named, asking: delegates)
      #expect(server.signed.last?.aaid.description == signer)
    }
    delegates.authenticator = { AAID("F1D0#1005") ?? $0[0] }
    let asked = delegates
    await expect(
      .invalidRequest,
      "could not log in with a FIDO key: the authenticator F1D0#1005 has no key"
    ) { _ = try await fido.logIn(asking: asked) }
  }

  @Test("hold a passcode for each authenticator, and try it on no other one")
  func passcodes() async throws {
    let (world, _) = try await Self.registered()
    let other = try #require(AAID("F1D0#1001"))
    _ = try await world.session().fido.register(at: other, asking: Person("314159").delegates)
    let passcodes = ScriptedPasscodes("271828", "314159")
    let session = try world.session()
    let login = FIDOLogin(session.loginContext, AuthenticatorDelegates(passcode: passcodes))
    let fido = FIDOService(tokens: session.tokens, login: login)
    for model in [nil, other] { _ = try await fido.logIn(at: model) }
    #expect(passcodes.statuses == [.unlocked, .unlocked])
  }

  @Test("fail if the response has neither")
  func nothing() async throws {
    let (world, server) = try await Self.registered()
    server.rules.result = []
    await expect(
      .malformedResponse,
      "could not log in with a FIDO key: the response of fido.test: it set no cookie"
    ) { _ = try await Self.logIn(world) }
    #expect(try await world.session().tokens.provider(in: .user)?.tokens?.accessToken == "a1")
  }

  @Test(
    "repeat an authentication while the server does not know the key, and ask for the passcode once"
  )
  func eventual() async throws {
    let (world, server) = try await Self.registered()
    server.rules.verdicts = [1481, 1481]
    let person = Person("271828")
    _ = try await Self.logIn(world, person)
    #expect(world.pauses == [1, 1])
    #expect(person.questions == ["passcode alice"])
    #expect(server.signed.map(\.signCounter) == [2, 3, 4])
    #expect(try world.session().fido.keys().count == 1)
  }

  @Test("delete a key that the server does not know after three repetitions")
  func unknown() async throws {
    let (world, server) = try await Self.registered()
    server.forget()
    let error = await expect(
      .notRegistered,
      "could not log in with a FIDO key: fido.test: the server does not know this key (1481)"
    ) { _ = try await Self.logIn(world) }
    #expect(error?.remedy == .registerFIDO)
    #expect(world.pauses == [1, 1, 1])
    #expect(try world.session().fido.keys().isEmpty)
    await expect(
      .notRegistered,
      "could not log in with a FIDO key: the authenticator FFFF#0001 of 'work' has no key"
    ) { _ = try await Self.logIn(world) }
  }

  @Test("repeat nothing after another refusal", arguments: [1400, 1491, 1498, 1500])
  func other(status: Int) async throws {
    let (world, server) = try await Self.registered()
    server.rules.verdicts = [status]
    await #expect(throws: SDKError.self) { try await Self.logIn(world) }
    #expect(world.pauses.isEmpty && server.signed.count == 1)
    #expect(try world.session().fido.keys().count == 1)
  }

  @Test("ask again after a wrong passcode, and lock the authenticator in the end")
  func wrongPasscode() async throws {
    let (world, _) = try await Self.registered()
    let person = Person("000001", "271828")
    _ = try await Self.logIn(world, person)
    #expect(person.questions == ["passcode alice", "passcode alice"])
    for _ in 0..<5 {
      await #expect(throws: SDKError.self) {
        try await world.session().fido.logIn(
          asking: AuthenticatorDelegates(passcode: KnownPasscode(Array("000001".utf8))))
      }
      world.now = world.now + 4000
    }
    let error = await expect(.policy) { try await Self.logIn(world) }
    #expect(error?.clientErrorCode == .userLockout)
  }

  @Test("show a transaction, and sign it only if the user confirms it")
  func transaction() async throws {
    let (world, server) = try await Self.registered()
    server.rules.transactions = [["contentType": "text/plain", "content": "cGF5"]]  // pay
    let person = Person("271828")
    _ = try await Self.logIn(world, person)
    #expect(person.questions == ["passcode alice", "pay"])
    #expect(server.signed.last?.transactionHash != nil)
    await expect(.denied) { try await Self.logIn(world, Person("271828", confirms: false)) }
    #expect(server.signed.count == 1)
  }

  @Test("let a person confirm without a lock, and sign nothing if the key was deleted meanwhile")
  func deletedMeanwhile() async throws {
    let (world, server) = try await Self.registered()
    let session = try world.session()
    _ = try await session.fido.register("bob", asking: Person("271828").delegates)
    server.rules.transactions = [["contentType": "text/plain", "content": "cGF5"]]  // pay
    @Sendable func confirm(_: UAFTransaction, _: AuthenticatorKey) async throws(SDKError) -> Bool {
      try await session.environment.locked(.login, waiting: .zero) { () throws(SDKError) in }
      return try await session.fido.forget("alice").count == 1
    }
    await expect(.notRegistered, "could not log in with a FIDO key: the key has been deleted") {
      try await session.fido.logIn(
        asking: AuthenticatorDelegates(passcode: Person("271828"), confirmation: confirm))
    }
    #expect(server.signed.isEmpty)
  }

  @Test(
    "refuse what a server must not send",
    arguments: [
      ("type", SDKError.Code.malformedResponse), ("version", .unsupported),
      ("application", .untrusted), ("facet", .untrusted), ("policy", .notRegistered),
    ])
  func hostile(what: String, code: SDKError.Code) async throws {
    let (world, server) = try await Self.registered(
      what == "application" ? ["fido.appID": .string("\(FakeFIDOServer.origin)/facets")] : [:])
    switch what {
    case "type": server.rules.operation = "Dereg"
    case "version": server.rules.versions = [2]
    case "application": server.rules.appID = "https://evil.test/facets"
    case "facet":
      world.now = World.now + 4000
      server.rules.facets = []
    default:
      server.rules.policy = ["accepted": [[["aaid": ["F1D0#1001"]]]]]
    }
    await expect(code) { try await Self.logIn(world) }
    #expect(server.signed.isEmpty)
  }

  @Test("tell that the server's policy accepts no key of this authenticator")
  func unacceptable() async throws {
    let (world, server) = try await Self.loggedIn()
    await expect(.cancelled) { try await Self.register(world, Person()) }
    server.rules.policy = ["accepted": [[["aaid": ["F1D0#1001"]]]]]
    await expect(
      .refused,
      "could not register a FIDO key: the server does not accept the authenticator FFFF#0001"
    ) { try await Self.register(world) }
  }

  @Test("delete the keys of a user at the server and here")
  func deregister() async throws {
    let (world, server) = try await Self.registered()
    _ = try await Self.logIn(world)
    let removed = try await world.session().fido.deregister()
    #expect(removed.map(\.username) == ["alice"])
    #expect(server.keys.isEmpty)
    #expect(try world.session().fido.keys().isEmpty)
    let last = try #require(server.requests.last { $0.url.contains("deregistration") })
    #expect(last.fields["Cookie"] == "sid=s1")
  }

  @Test("delete no key if the server's request names another application, and say so")
  func deregisterElsewhere() async throws {
    let (world, server) = try await Self.registered()
    _ = try await Self.logIn(world)
    // That of this client, which has no key there.
    server.rules.appID = ""
    await expect(
      .malformedResponse,
      "could not delete the FIDO keys: the server's request names no key of 'alice' here, or another "
        + "application; the keys stay"
    ) { _ = try await world.session().fido.deregister() }
    #expect(try world.session().fido.keys().count == 1)
  }

  @Test("delete no key if the server knows none, and advise no new one", arguments: [200, 404])
  func deregisterUnknown(status: Int) async throws {
    let (world, server) = try await Self.registered()
    _ = try await Self.logIn(world)
    server.rules.answers["/uaf/1.1/request/deregistration/"] = .other(
      status, "application/fido+uaf", #"{"statusCode":1481}"#)
    let error = await expect(.notRegistered) { _ = try await world.session().fido.deregister() }
    #expect(error?.remedy == nil && error?.resource == .userNotAuthenticated)
    #expect(try world.session().fido.keys().count == 1)
  }

  @Test("delete the keys of a user here, if the server is gone")
  func forget() async throws {
    let (world, server) = try await Self.registered()
    let count = server.requests.count
    await expect(
      .invalidRequest, "could not delete the FIDO keys: name one of the users who have keys: alice"
    ) { _ = try await world.session().fido.forget("bob") }
    #expect(try await world.session().fido.forget().count == 1)
    #expect(server.requests.count == count)
    #expect(try world.session().fido.keys().isEmpty)
  }

  @Test("ask an Identity Suite for an authentication by the user's name alone")
  func identitySuite() async throws {
    let (world, server) = try await Self.registered(["fido.requestForm": "username"])
    _ = try? await Self.logIn(world)
    let sent = try #require(server.requests.first { $0.url.hasSuffix("request/authentication/") })
    #expect(sent.body == #"{"username":"alice"}"#)
    #expect(sent.fields["Content-Type"] == "application/json;charset=UTF-8")
    #expect(server.requests[0].body.contains(#""op":"Reg""#))
  }

  @Test("use the key of a user whom the server calls by another name")
  func otherName() async throws {
    let (world, server) = try await Self.loggedIn()
    server.rules.names["alice"] = "user-1"
    let key = try await Self.register(world)
    #expect(key.username == "user-1")
    let provider = try await Self.logIn(world)
    guard case .cookies(let session) = provider else { throw Unmet("\(provider)") }
    #expect(session.user == "user-1")
    let requests = server.requests.filter { $0.url.hasSuffix("request/authentication/") }
    #expect(requests.allSatisfy { $0.body.contains("alice") })
  }

  @Test("need the name of a user if several have keys")
  func severalUsers() async throws {
    let (world, _) = try await Self.registered()
    try world.set("fido.user", to: .null)
    let session = try world.session()
    _ = try await session.fido.register("bob", asking: Person("271828").delegates)
    await expect(
      .invalidRequest,
      "could not log in with a FIDO key: several users have keys, and none of them is named"
    ) { _ = try await Self.logIn(world) }
    await expect(
      .invalidRequest,
      "could not delete the FIDO keys: name one of the users who have keys: alice, bob"
    ) { _ = try await session.fido.forget() }
    let provider = try await Self.logIn(world, Person("271828"), "bob")
    #expect(provider.name == "cookies")
    #expect(session.fido.inventory().map { $0.keys.map(\.username) } == [["alice", "bob"]])
    #expect(try await session.fido.forget("bob").map(\.username) == ["bob"])
  }

  @Test("leave it to a security token to verify the user of its key")
  func securityToken() async throws {
    let (world, _) = try await Self.loggedIn(["fido.noVerification": true])
    _ = try await world.session().fido.register(verifiesUser: false)
    try world.set("fido.key", to: "pkcs11:token=t;object=k")
    #expect(
      try world.session().fido.login.authenticator().settings.userVerification
        == .securityToken(uri: "pkcs11:token=t;object=k"))
  }
}
