import CoreTestSupport

@testable import SDKCore

@Suite("The secrets of a registration and of a login")
struct SecretEndpointsTests {
  private static let names = [
    "token", "revocation", "introspection", "userinfo", "pushedAuthorization",
    "deviceAuthorization",
  ]

  /// The metadata with further members, or others in place of its own.
  private static func metadata(_ members: JSONObject) throws -> String {
    let known = try #require(try JSON(parsing: Array(World.metadata.utf8)).object)
    let own: JSONObject = [
      "introspection_endpoint": "https://id.test/introspect",
      "userinfo_endpoint": "https://id.test/userinfo",
    ]
    return JSON.object(known.merging(own) { $1 }.merging(members) { $1 }).serialized()
  }

  private static func world(_ settings: JSONObject = [:]) throws -> World {
    let world = try World(settings)
    world.transport.respond(World.metadataURL, .json(try metadata([:])))
    world.grant("a1", ["expires_in": 60, "refresh_token": "r1"])
    world.transport.respond(
      "https://id.test/register",
      .json(
        #"{"client_id":"app","client_secret":"secret-1","grant_types":["client_credentials"]}"#,
        status: 201))
    return world
  }

  /// The requests that went to the other host.
  private static func leaked(_ world: World) -> [String] {
    world.transport.lines.filter { $0.contains("evil.test") }
  }

  private static func set(_ name: String, in world: World) throws {
    try world.set("endpoints.\(name)", to: .string("https://evil.test/\(name)"))
    for name in ["token", "revocation", "introspection", "userinfo"] {
      world.transport.respond("https://evil.test/\(name)", .json("{}"))
    }
  }

  /// Uses an endpoint with the client's credential.
  private static func use(_ name: String, _ session: ProfileSession) async throws {
    switch name {
    case "token", "refresh": _ = try await session.tokens.valid(for: .anonymous)
    case "revocation": try await session.tokens.revoke("x", nil)
    case "introspection": _ = try await session.tokens.introspect("x", nil)
    case "deviceAuthorization":
      _ = try await session.login.logIn(by: .device(show: { _ in }))
    default:
      let way = LoginWay.pasted(
        present: { _ in }, paste: { _ throws(SDKError) in throw SDKError(.denied, "no") })
      _ = try await session.login.logIn(by: way)
    }
  }

  @Test(
    "of the client are sent to no endpoint that the profile has got since",
    arguments: [
      "token", "refresh", "revocation", "introspection", "pushedAuthorization",
      "deviceAuthorization",
    ], [false, true])
  func client(name: String, isGiven: Bool) async throws {
    let world = try Self.world()
    if isGiven {
      _ = try await world.session().registration.use(
        existing: ExistingClient(
          clientID: "app", secret: "secret-1", method: .basic, redirectURI: nil))
    } else {
      _ = try await world.session().registration.register(RegistrationOptions())
    }
    try Self.set(name, in: world)
    let session = try world.session()
    let error = await expect(
      .registeredElsewhere,
      "could not use the registration of 'work': it was made with another \(name) endpoint than "
        + "https://evil.test/\(name)"
    ) { try await Self.use(name, session) }
    #expect(error?.remedy == .registerAnew)
    #expect(Self.leaked(world).isEmpty)
    // A new registration is for the endpoints that the profile has now.
    _ = try await world.session().registration.register(RegistrationOptions())
    await #expect(throws: Never.self) {
      do { try await Self.use(name, try world.session()) } catch let error as SDKError {
        if error.code == .registeredElsewhere { throw error }
      }
    }
  }

  @Test("of the client are sent to no endpoint that the server announces since")
  func announced() async throws {
    let world = try Self.world()
    _ = try await world.session().registration.register(RegistrationOptions())
    world.now = world.now + 3601
    world.transport.respond(
      World.metadataURL, .json(try Self.metadata(["token_endpoint": "https://evil.test/token"])))
    await expect(
      .registeredElsewhere,
      "could not use the registration of 'work': it was made with another token endpoint than "
        + "https://evil.test/token"
    ) { _ = try await world.session().tokens.valid(for: .anonymous) }
    #expect(Self.leaked(world).isEmpty)
  }

  @Test(
    "are for endpoints that are announced later, if they are at an origin that has them already")
  func later() async throws {
    for (host, isRefused) in [("id.test", false), ("evil.test", true)] {
      let world = try Self.world()
      world.transport.respond(
        World.metadataURL, .json(try Self.metadata(["revocation_endpoint": .null])))
      _ = try await world.session().registration.register(RegistrationOptions())
      world.now = world.now + 3601
      let url = "https://\(host)/revoke-2"
      world.transport.respond(
        World.metadataURL, .json(try Self.metadata(["revocation_endpoint": .string(url)])))
      world.transport.respond(url, .status(200))
      do {
        try await world.session().tokens.revoke("x", nil)
        #expect(!isRefused)
      } catch {
        #expect(isRefused)
        #expect((error as? SDKError)?.code == .registeredElsewhere)
      }
      #expect(Self.leaked(world).isEmpty)
    }
  }

  @Test("of a client that was given while the server could not be asked are for what it announces")
  func unreachable() async throws {
    let world = try Self.world()
    world.transport.respond(World.metadataURL, .failure(.connection, "no network"))
    _ = try await world.session().registration.use(
      existing: ExistingClient(
        clientID: "app", secret: "secret-1", method: .basic, redirectURI: nil))
    world.transport.respond(World.metadataURL, .json(try Self.metadata([:])))
    #expect(try await world.session().tokens.valid(for: .anonymous).accessToken == "a1")
    try Self.set("token", in: world)
    var demand = TokenDemand()
    demand.forceNew = true
    let wanted = demand
    await #expect(throws: SDKError.self) {
      _ = try await world.session().tokens.valid(for: .anonymous, wanted)
    }
    #expect(Self.leaked(world).isEmpty)
  }

  /// A public client that is not registered here, and a login.
  private static func loggedIn() async throws -> World {
    let world = try world(["clientID": "public", "passwordGrant": true])
    _ = try await world.session().login.logIn(
      by: .grant(.password(username: "alice", password: "wonderland")))
    return world
  }

  /// Sends tokens of the login to an endpoint.
  private static func send(to name: String, _ session: ProfileSession) async throws {
    switch name {
    case "token", "refresh":
      _ = try await session.tokens.valid(for: .user, TokenDemand(forceNew: true))
    case "revocation": try await session.tokens.revoke("r1", .refresh)
    case "introspection": _ = try await session.tokens.introspect("a1", nil)
    default: _ = try await session.tokens.userInfo()
    }
  }

  @Test(
    "of a login are sent to no endpoint that the profile has got since",
    arguments: ["token", "refresh", "revocation", "introspection", "userinfo"])
  func login(name: String) async throws {
    let world = try await Self.loggedIn()
    try Self.set(name, in: world)
    let session = try world.session()
    let error = await expect(
      .sessionExpired,
      "could not use the login of 'work': it was made with another \(name) endpoint than "
        + "https://evil.test/\(name)"
    ) { try await Self.send(to: name, session) }
    #expect(error?.remedy == .login)
    #expect(Self.leaked(world).isEmpty)
    // A logout erases the tokens; only the revocation is refused.
    let steps = try await world.session().login.logOut(.user)
    let isRevoked = name != "revocation"
    if isRevoked { #expect(world.transport.lines.last == "POST https://id.test/revoke") }
    #expect(steps.contains(LogoutStep(action: .erase, outcome: .done)))
    #expect(Self.leaked(world).isEmpty)
  }

  @Test("of a new login are for the new endpoint")
  func newLogin() async throws {
    let world = try await Self.loggedIn()
    try Self.set("token", in: world)
    world.transport.respond("https://evil.test/token", .token("a2", refreshToken: "r2"))
    let session = try world.session()
    _ = try await session.login.logIn(
      by: .grant(.password(username: "alice", password: "wonderland")))
    try await Self.send(to: "token", session)
    #expect(
      world.transport.lines.suffix(2) == Array(repeating: "POST https://evil.test/token", count: 2))
  }

  @Test("that the account calls take as a client's name are for no other address either")
  func account() async throws {
    let url = "https://id.test/account"
    let world = try Self.world(["accountClient": "secret", "endpoints.account": .string(url)])
    world.transport.respond(url, .json(#"{"status":0}"#))
    _ = try await world.session().registration.register(RegistrationOptions())
    let address = try #require(EmailAddress("alice@example.com"))
    try await world.session().account.ask(.signUp, for: address)
    try Self.set("account", in: world)
    await expect(
      .registeredElsewhere,
      "could not use the registration of 'work': it was made with another account endpoint than "
        + "https://evil.test/account"
    ) { try await world.session().account.ask(.signUp, for: address) }
    #expect(Self.leaked(world).isEmpty)
  }

  @Test("are for both forms of an endpoint, for clients with a certificate and without")
  func aliases() throws {
    let world = try Self.world()
    let profile = try world.store.profile(world.name)
    let text = try Self.metadata([
      "mtls_endpoint_aliases": ["token_endpoint": "https://mtls.id.test/token"]
    ])
    let document = try #require(try JSON(parsing: Array(text.utf8)).object)
    let issuer = try #require(profile.issuer)
    let plain = try ServerMetadata(document, for: issuer)
    for metadata in [plain, try plain.forMutualTLS()] {
      let endpoints = SecretEndpoints(of: metadata, for: profile)
      for (url, isContained) in [
        (World.tokenURL, true), ("https://mtls.id.test/token", true),
        ("https://id.test/token2", false), ("https://mtls.id.test/", false),
      ] {
        let place = SecretEndpoints.Endpoint(name: "token", url: try HTTPURL(url), isOwn: false)
        #expect(endpoints.contains(place) == isContained, "\(url)")
      }
    }
  }
}
