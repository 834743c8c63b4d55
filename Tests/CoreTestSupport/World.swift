package import HTTP
package import JSON
import OpenSSL
import Pinning
package import Primitives
import Synchronization
package import TestSupport
package import Testing

@testable package import SDKCore

/// One profile in a store of its own, with a scripted network and a clock that stands.
package final class World: Sendable {
  package static let now: Timestamp = 1_800_000_000
  package static let tokenURL = "https://id.test/token"
  package static let metadataURL = "https://id.test/.well-known/openid-configuration"
  package static let metadata = """
    {"issuer":"https://id.test","authorization_endpoint":"https://id.test/authorize",\
    "token_endpoint":"https://id.test/token","registration_endpoint":"https://id.test/register",\
    "revocation_endpoint":"https://id.test/revoke","jwks_uri":"https://id.test/jwks",\
    "device_authorization_endpoint":"https://id.test/device",\
    "pushed_authorization_request_endpoint":"https://id.test/par"}
    """

  package let folder: TemporaryFolder
  package let store: ProfileStore
  package let name: ProfileName
  package let transport: FakeTransport
  private let loginMethods: [LoginMethod]
  private let enrolment: EnrolmentServices?
  private let time = Mutex(World.now)
  private let waited = Mutex<[Int64]>([])
  private let told = Mutex<[SessionNotice]>([])

  /// Makes the profile `work` of `https://id.test` and `https://api.test/v1`.
  package init(
    _ settings: JSONObject = [:], loginMethods: [LoginMethod] = [],
    enrolment: EnrolmentServices? = nil
  ) throws {
    (self.loginMethods, self.enrolment) = (loginMethods, enrolment)
    folder = try TemporaryFolder()
    var options = SessionOptions()
    (options.loginMethods, options.enrolment) = (loginMethods, enrolment)
    let table = options.settings
    store = ProfileStore(StoreLocation(home: folder.path), settings: table)
    name = try ProfileName("work")
    transport = FakeTransport([Self.metadataURL: [.json(Self.metadata)]])
    var profile = try Profile(name: name, settings: table)
    try profile.set("issuer", to: "https://id.test")
    try profile.set("resourceURL", to: "https://api.test/v1")
    for (key, value) in settings { try profile.set(key, to: value == .null ? JSON?.none : value) }
    try store.create(name, settings: profile.members, pins: nil)
    try store.writeCurrent(name)
  }

  package var location: StoreLocation { store.location }

  /// The clock's time; all sessions see a change at once.
  package var now: Timestamp {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  package func session(
    programName: String? = "tests", injectedToken: String? = nil,
    limits: SessionLimits = .patient,
    enrolment: (any IdentityObtaining)? = nil, transport: (any Transport)? = nil,
    unlock: IdentityStore.Unlock? = nil, passcode: (any PasscodeEntry)? = nil,
    of user: UserID? = nil,
    writesNothing: Bool = false,
    login: (@Sendable (ProfileSession, Remedy.Login) async throws(SDKError) -> Void)? = nil
  ) throws -> ProfileSession {
    var options = SessionOptions(programName: programName)
    options.userID = user
    (options.loginMethods, options.enrolment) = (loginMethods, self.enrolment)
    options.writesNothing = writesNothing
    options.identityLogin = login
    options.noticeReport = { notice in self.told.withLock { $0.append(notice) } }
    options.identityService = enrolment
    options.identityUnlock = unlock
    options.passcodeCost = ScryptCost(n: 16, r: 1, p: 1)
    options.sealPasscode = passcode
    options.sealCost = options.passcodeCost
    return try ProfileSession(
      SessionOpening(
        name, in: store,
        injectedToken: injectedToken.map {
          InjectedToken($0, from: options.injectedTokenName, at: self.now)
        }, options: options, limits: limits, now: { self.now },
        pause: { try self.pause($0) },
        network: .scripted(transport ?? self.transport)))
  }

  /// What the sessions told beside what was asked for, in order.
  package var notices: [SessionNotice] { told.withLock { $0 } }

  /// The seconds of each pause, in order; time went by without anybody waiting.
  package var pauses: [Int64] { waited.withLock { $0 } }

  private func pause(_ length: Duration) throws {
    try Task.checkCancellation()
    waited.withLock { $0.append(length.components.seconds) }
    time.withLock { $0 = $0 + length.components.seconds }
  }

  package var registrations: RegistrationStore {
    RegistrationStore(ProfileSecrets(location: location, profile: name))
  }

  /// Stores the registration of a client.
  package func save(
    _ client: JSONObject, issuer: String = "https://id.test",
    source: Registration.Source = .dynamic, obtained: Timestamp = World.now, key: SigningKey? = nil,
    certificate: ClientCertificateChain? = nil, encryptionKey: DecryptionKey? = nil
  ) async throws {
    try await registrations.save(
      Registration(
        issuer: issuer, source: source, obtained: obtained, client: client, key: key,
        certificate: certificate, encryptionKey: encryptionKey))
  }

  /// Registers a client with the secret `s`, or a public one.
  package func register(
    _ members: JSONObject = [:], issuer: String = "https://id.test", isConfidential: Bool = true,
    redirectURI: String? = nil
  ) async throws {
    var client: JSONObject = ["client_id": "app"]
    client.merge(members) { $1 }
    client["redirect_uris"] = redirectURI.map { [.string($0)] }
    if isConfidential { client["client_secret"] = "secret-1" }
    try await save(client, issuer: issuer)
  }

  /// A profile with a registered client that has the secret `secret-1`.
  package static func registered(
    _ settings: JSONObject = [:], client: JSONObject = [:], redirectURI: String? = nil
  ) async throws -> World {
    let world = try World(settings)
    try await world.register(client, redirectURI: redirectURI)
    return world
  }

  /// A registered client and a user who granted `a b`, at a server that exchanges tokens or not.
  package static func loggedIn(
    exchanges: Bool, _ settings: JSONObject = [:]
  ) async throws -> World {
    let world = try await registered(settings)
    try await world.store("u1", scope: "a b")
    if exchanges {
      let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
      world.announce(#""grant_types_supported":["\#(exchange)"]"#)
    }
    return world
  }

  /// A client with a redirect URI of a scheme of its own, at a server that takes any code.
  package static func withScheme() async throws -> World {
    let world = try await registered(redirectURI: "com.example.app:/cb")
    world.grant("a1", ["expires_in": 60])
    return world
  }

  /// The metadata of the server has these members too from now on.
  package func announce(_ members: String) {
    transport.respond(Self.metadataURL, .json(Self.metadata.dropLast() + ",\(members)}"))
  }

  /// Lets the server answer each further request for a token with that one.
  package func grant(_ accessToken: String, _ more: JSONObject = [:]) {
    transport.respond(Self.tokenURL, .token(accessToken, lifetime: nil, more))
  }

  /// The bodies of the requests for tokens, in order.
  package var tokenBodies: [String] {
    transport.sent.filter { $0.url == Self.tokenURL }.map(\.body)
  }

  /// The same as the forms that they are.
  package var tokenForms: [FormParameters] {
    tokenBodies.compactMap { FormParameters(encoded: $0) }
  }

  /// Puts tokens into a slot; they live for `lifetime` seconds.
  @discardableResult
  package func store(
    _ accessToken: String, lifetime: Int64? = 3600, refreshToken: String? = "refresh-1",
    scope: String? = "a", type: String = "Bearer", in slot: CredentialSlot = .user
  ) async throws -> TokenSet {
    let tokens = TokenSet(
      accessToken: accessToken, tokenType: type, expires: lifetime.map { now + $0 }, scope: scope,
      refreshToken: refreshToken, obtained: now
    ).with(idToken: "id-1")
    try await credentials(slot).save(tokens)
    return tokens
  }

  package func stored(_ slot: CredentialSlot = .user) async throws -> TokenSet? {
    try await credentials(slot).load()?.tokens
  }

  package func credentials(
    _ slot: CredentialSlot, issuer: String = "https://id.test"
  ) -> CredentialStore {
    CredentialStore(ProfileSecrets(location: location, profile: name), slot, issuer: issuer)
  }

  /// Changes a setting of the profile.
  package func set(_ key: String, to value: JSON) throws {
    var profile = try store.profile(name)
    try profile.set(key, to: value == .null ? JSON?.none : value)
    try store.save(profile)
  }

  package static let userFile = "state/profiles/work/credentials/user.json"
  package static let anonymousFile = "state/profiles/work/credentials/anonymous.json"
  package static let dpopFile = "state/profiles/work/dpop.json"
  package static let locks = "state/profiles/work/locks"
}

extension SessionLimits {
  /// On a machine under load a task may wait long for its turn.
  package static var patient: SessionLimits {
    var limits = SessionLimits()
    limits.lock = .seconds(600)
    return limits
  }
}

extension Network {
  /// A network that is that transport, and shows no certificates.
  package static func scripted(_ transport: any Transport) -> Network {
    Network(
      makeTransport: { _, _ in transport },
      makeHandshakes: { _, _ in
        Handshakes(probe: { (endpoint) throws(TransportError) in
          throw TransportError(.connection, "nothing is scripted for \(endpoint.host)")
        })
      }, version: { "scripted" })
  }
}

extension FakeTransport.Response {
  /// A bearer token that lives for `lifetime` seconds, with further members of the response.
  package static func token(
    _ accessToken: String, scope: String? = nil, refreshToken: String? = nil,
    lifetime: Int64? = 60, _ more: JSONObject = [:]
  ) -> Self {
    var members: JSONObject = ["access_token": .string(accessToken), "token_type": "bearer"]
    members["expires_in"] = lifetime.map { .int($0) }
    members["scope"] = scope.map { .string($0) }
    members["refresh_token"] = refreshToken.map { .string($0) }
    return .json(JSON.object(members.merging(more) { $1 }).serialized())
  }

  /// A refusal of a token endpoint.
  package static func refusal(_ code: String) -> Self {
    .json(#"{"error":"\#(code)"}"#, status: 400)
  }
}

/// Expects a refusal of that kind, with that message if there is one, and returns it.
@discardableResult
package func expect<Result>(
  _ code: SDKError.Code, _ message: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
) async -> SDKError? {
  let error = await #expect(throws: SDKError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  if let message { #expect(error?.message == message, sourceLocation: sourceLocation) }
  return error
}

extension SettingTable {
  /// What setting a key does in a profile of `https://id.test`.
  package func effects(ofSetting key: String, to value: JSON) throws -> [SettingChange.Effect?] {
    let old = try Profile(
      name: try ProfileName("a"), members: ["issuer": "https://id.test"], settings: self)
    var new = old
    try new.set(key, to: value)
    return old.changes(to: new).map(\.effect)
  }
}

extension TokenSet {
  /// The same tokens with another refresh token, or none.
  package func with(refreshToken: String?) -> TokenSet {
    var tokens = self
    tokens.refreshToken = refreshToken
    return tokens
  }

  /// The same tokens with another ID token.
  package func with(idToken: String?) -> TokenSet {
    var tokens = self
    tokens.idToken = idToken
    return tokens
  }
}
