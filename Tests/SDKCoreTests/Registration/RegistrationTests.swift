import HTTP
import JOSE
import JSON
import OAuth
import Primitives
import TestSupport
import Testing

@testable import SDKCore

@Suite("Registration")
struct RegistrationTests {
  private static let file = "state/profiles/work/registration.json"
  private static let url = "https://id.test/register"

  @Test("tells what the server answered")
  func values() throws {
    let sparse = Registration(issuer: "i", source: .given, obtained: 0, client: ["client_id": "a"])
    #expect(sparse.clientID == "a")
    #expect(!sparse.isConfidential)
    #expect(!sparse.isManaged)
    #expect(sparse.redirectURIs == [])
    #expect(sparse.scope == nil)
    #expect(sparse.secretExpires == nil)
    #expect(sparse.authentication.method == .none)
    let full = Registration(
      issuer: "i", source: .dynamic, obtained: 1,
      client: [
        "client_id": "a", "client_secret": "s", "registration_access_token": "r",
        "registration_client_uri": "https://id.test/c", "redirect_uris": ["http://127.0.0.1/"],
        "scope": "x", "client_secret_expires_at": 9,
        "token_endpoint_auth_method": "client_secret_post",
      ])
    #expect(full.isConfidential)
    #expect(full.isManaged)
    #expect(full.redirectURIs == ["http://127.0.0.1/"])
    #expect(full.scope == "x")
    #expect(full.secretExpires == 9)
    #expect(full.authentication.method == .post)
    #expect(full.authentication.clientID == "a")
  }

  @Test(
    "chooses how the client proves itself",
    arguments: [
      ("s", nil, .basic, true), ("s", "client_secret_basic", .basic, true),
      ("s", "client_secret_post", .post, true), ("s", "none", .none, false),
      (nil, "client_secret_basic", .none, false), ("s", "private_key_jwt", .none, false),
      ("s", "client_secret_jwt", .secretJWT, true), (nil, "client_secret_jwt", .none, false),
      // Its certificate lies with the identities.
      ("s", "tls_client_auth", .none, true), ("s", "self_signed_tls_client_auth", .none, true),
      ("s", "unheard_of", .basic, true),
    ] as [(String?, String?, ClientAuthentication.Method, Bool)])
  func method(
    secret: String?, name: String?, method: ClientAuthentication.Method, isConfidential: Bool
  ) {
    var client: JSONObject = ["client_id": "a"]
    client["client_secret"] = secret.map { .string($0) }
    client["token_endpoint_auth_method"] = name.map { .string($0) }
    let registration = Registration(issuer: "i", source: .dynamic, obtained: 0, client: client)
    #expect(registration.authentication.method == method)
    #expect(registration.isConfidential == isConfidential)
  }

  @Test("with a key keeps it private and on disk, and registers its public half")
  func key() async throws {
    let world = try World()
    world.transport.answer(Self.url, .json(#"{"client_id":"new"}"#, status: 201))
    var options = RegistrationOptions()
    options.method = .privateKeyJWT
    let registration = try await world.session().registration.register(options)
    let key = try #require(registration.key)
    #expect(key.algorithm == .es256)
    #expect(try world.session().registration.current() == registration)
    #expect(try world.session().registration.current()?.authentication.method == .privateKeyJWT)
    #expect(try world.folder.mode(of: Self.file) == 0o600)
    let body = try #require(world.transport.sent.last).body
    #expect(try JSON(parsing: body)["jwks"] == ["keys": [key.publicKey.json]])
    #expect(!body.contains("PRIVATE"))
    try world.folder.write(
      try world.folder.text(of: Self.file).replacing("BEGIN", with: "BEGUN"), to: Self.file)
    await expect(
      .invalidConfiguration,
      "could not read '\(world.folder.path)/\(Self.file)': 'key' is no private key"
    ) { _ = try world.session().registration.current() }
  }

  @Test("is written and read as it was")
  func roundTrip() throws {
    let world = try World()
    let store = RegistrationStore(world.location, world.name)
    #expect(try store.load() == nil)
    let registration = Registration(
      issuer: "https://id.test", source: .dynamic, obtained: 7,
      client: ["client_id": "a", "client_secret": "s", "contacts": ["x"]])
    try store.save(registration)
    #expect(try store.load() == registration)
    try store.remove()
    #expect(try store.load() == nil)
  }

  @Test(
    "is refused when a member is missing",
    arguments: [
      #"{"version":1}"#, #"{"version":1,"issuer":"i","source":"x","client":{"client_id":"a"}}"#,
      #"{"version":1,"issuer":"i","source":"given","client":{}}"#,
      #"{"version":1,"source":"given","client":{"client_id":"a"}}"#,
      #"{"version":1,"issuer":"i","source":"given","client":{"client_id":7}}"#,
    ])
  func malformed(text: String) async throws {
    let world = try World()
    try world.folder.write(text, to: Self.file)
    await expect(
      .invalidConfiguration,
      "could not read '\(world.folder.path)/\(Self.file)': "
        + "'issuer', 'source' or 'client.client_id' is missing"
    ) { _ = try world.session().registration.current() }
    #expect(try world.folder.text(of: Self.file) == text)
  }

  @Test("is that of the profile's client id when none is stored")
  func given() throws {
    #expect(try World().session().registration.current() == nil)
    let world = try World(["clientID": "public"])
    let registration = try #require(try world.session().registration.current())
    #expect(registration.clientID == "public")
    #expect(registration.source == .given)
    #expect(registration.obtained == 0)
    #expect(registration.issuer == "https://id.test")
    #expect(!registration.isConfidential)
    try world.register()
    #expect(try world.session().registration.current()?.clientID == "app")
  }

  @Test("of another issuer is refused, and counts as none for a new one")
  func otherIssuer() async throws {
    let world = try World()
    try world.register(issuer: "https://old.test")
    let message =
      "could not use the registration of 'work': it is of another issuer, 'https://old.test'"
    await expect(.registeredElsewhere, message) { _ = try world.session().registration.current() }
    await expect(.registeredElsewhere, message) {
      _ = try await world.session().tokens.valid(for: .anonymous)
    }
    #expect(try world.session().registration.usable() == nil)
    #expect(world.transport.sent.isEmpty)
    try world.register()
    #expect(try world.session().registration.usable()?.clientID == "app")
  }

  @Test("is kept with what was sent and what the server answered, and ends the old tokens")
  func register() async throws {
    let world = try World(["scope": "openid"])
    try world.store("old")
    try world.store("old", in: .anonymous)
    world.transport.answer(
      Self.url,
      .json(#"{"client_id":"new","client_secret":"s2","scope":"less","logo":1}"#, status: 201))
    var options = RegistrationOptions()
    options.redirectURI = "http://127.0.0.1:7777/cb"
    options.initialAccessToken = "initial"
    let registration = try await world.session().registration.register(options)
    #expect(registration.clientID == "new")
    #expect(registration.source == .dynamic)
    #expect(registration.obtained == World.now)
    #expect(registration.issuer == "https://id.test")
    #expect(
      registration.client == [
        "client_id": "new", "client_secret": "s2", "scope": "less", "logo": 1,
        "application_type": "native", "client_name": "sdkctl",
        "redirect_uris": ["http://127.0.0.1:7777/cb"], "response_types": ["code"],
        "grant_types": ["authorization_code", "refresh_token", "client_credentials"],
        "token_endpoint_auth_method": "client_secret_basic",
      ])
    #expect(try world.session().registration.current() == registration)
    #expect(try world.stored(.user) == nil)
    #expect(try world.stored(.anonymous) == nil)
    #expect(world.transport.lines == ["GET \(World.metadataURL)", "POST \(Self.url)"])
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer initial")
  }

  @Test("asks for a loopback redirect URI with the profile's port, or one of the high ports")
  func redirectURI() async throws {
    for port in [8123, nil] as [Int64?] {
      let world = try World(["redirectPort": port.map { .int($0) } ?? .null])
      world.transport.answer(Self.url, .json(#"{"client_id":"a"}"#, status: 201))
      let registration = try await world.session().registration.register(RegistrationOptions())
      let uri = try #require(registration.redirectURIs.first)
      let text = try #require(uri.split(separator: ":").last?.split(separator: "/").first)
      let used = try #require(Int64(text))
      #expect(uri == "http://127.0.0.1:\(used)/callback")
      #expect(port == nil ? (61_000...65_535).contains(used) : used == port)
    }
  }

  @Test(
    "asks for all scopes that the client may ever ask for",
    arguments: [
      (nil, nil, nil, nil), (nil, "read", nil, nil), ("openid a", nil, nil, "openid a"),
      ("openid a", "a read", nil, "openid a read"), ("openid a", "read", "own", "own"),
    ] as [(String?, String?, String?, String?)])
  func scope(user: String?, anonymous: String?, chosen: String?, sent: String?) async throws {
    let world = try World([
      "scope": user.map { .string($0) } ?? .null,
      "anonymousScope": anonymous.map { .string($0) } ?? .null,
    ])
    world.transport.answer(Self.url, .json(#"{"client_id":"a"}"#, status: 201))
    var options = RegistrationOptions()
    options.scope = chosen
    _ = try await world.session().registration.register(options)
    let body = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(body["scope"]?.string == sent)
  }

  @Test(
    "without a scope in the profile asks for that of a login, and for what else is announced",
    arguments: [
      (["email", "openid"], nil, "openid email"), (["openid"], "read", "openid read"),
      (["openid", "a b", "", "c"], nil, "openid c"), (["email"], nil, nil),
    ] as [(JSON, String?, String?)])
  func scopeOfLogin(announced: JSON, anonymous: String?, sent: String?) async throws {
    let world = try World(["anonymousScope": anonymous.map { .string($0) } ?? .null])
    var document = try #require(try JSON(parsing: World.metadata).object)
    document["scopes_supported"] = announced
    world.transport.answer(World.metadataURL, .json(JSON.object(document).serialized()))
    world.transport.answer(Self.url, .json(#"{"client_id":"a","scope":""}"#, status: 201))
    let registration = try await world.session().registration.register(RegistrationOptions())
    let body = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(body["scope"]?.string == sent)
    // An empty scope of the answer is not kept: nobody may ask for nothing with it.
    #expect(registration.client["scope"] == nil)
  }

  @Test("without a scope of the person's choice leaves it out where the server refuses it")
  func refusedScope() async throws {
    for (chosen, scopes) in [(nil, ["openid", nil]), ("openid", ["openid"])]
      as [(String?, [String?])]
    {
      let world = try World()
      var document = try #require(try JSON(parsing: World.metadata).object)
      document["scopes_supported"] = ["openid"]
      world.transport.answer(World.metadataURL, .json(JSON.object(document).serialized()))
      let refusal = FakeTransport.Answer.json(#"{"error":"insufficient_scope"}"#, status: 403)
      let isTaken = FakeTransport.Answer.json(#"{"client_id":"a"}"#, status: 201)
      world.transport.answer(Self.url, refusal, refusal, chosen == nil ? isTaken : refusal)
      var options = RegistrationOptions()
      options.scope = chosen
      _ = try? await world.session().registration.register(options)
      let bodies = try world.transport.sent.dropFirst().map { try JSON(parsing: $0.body) }
      #expect(Set(bodies.map { $0["scope"]?.string }) == Set(scopes))
    }
  }

  @Test("with fewer grants keeps what the server took, and tells what it refused")
  func fewerGrants() async throws {
    let world = try World()
    world.transport.answer(
      Self.url, .json(#"{"error":"invalid_client_metadata"}"#, status: 400),
      .json(#"{"client_id":"a","client_secret":"s"}"#, status: 201))
    let registration = try await world.session().registration.register(RegistrationOptions())
    #expect(registration.refusedGrants == ["client_credentials"])
    #expect(registration.client["grant_types"] == ["authorization_code", "refresh_token"])
  }

  @Test("that fails leaves everything as it was")
  func failure() async throws {
    let world = try World()
    try world.register()
    try world.store("token")
    let before = try world.folder.files().filter { $0.key.hasPrefix("state/") }
    world.transport.answer(Self.url, .json(#"{"error":"invalid_token"}"#, status: 401))
    let error = await expect(
      .refused, "could not register at https://id.test: invalid_token"
    ) { _ = try await world.session().registration.register(RegistrationOptions()) }
    #expect(error?.serverError == "invalid_token")
    #expect(try world.folder.files().filter { $0.key.hasPrefix("state/") } == before)
  }

  @Test("takes a client that exists, and ends the tokens of the former one")
  func adopt() async throws {
    let world = try World()
    try world.register()
    try world.store("token")
    let registration = try await world.session().registration.use(
      existing:
        ExistingClient(
          clientID: "mine", secret: "s", method: .post, redirectURI: "http://127.0.0.1/cb"))
    #expect(registration.source == .given)
    #expect(
      registration.client == [
        "client_id": "mine", "client_secret": "s",
        "token_endpoint_auth_method": "client_secret_post",
        "redirect_uris": ["http://127.0.0.1/cb"],
      ])
    #expect(try world.session().registration.current() == registration)
    #expect(try world.stored() == nil)
    let open = try await world.session().registration.use(
      existing:
        ExistingClient(
          clientID: "open", secret: nil, method: .none, redirectURI: nil))
    let uri = try #require(open.redirectURIs.first)
    let port = try HTTPURL(uri).port
    #expect(uri == "http://127.0.0.1:\(port)/callback")
    #expect((61_000...65_535).contains(port))
    #expect(
      open.client == [
        "client_id": "open", "token_endpoint_auth_method": "none", "redirect_uris": [.string(uri)],
      ])
    #expect(world.transport.sent.isEmpty)
  }

  @Test("needs an issuer")
  func noIssuer() async throws {
    let world = try World(["issuer": .null])
    let first = await expect(
      .invalidConfiguration, "could not reach a server: 'work' has no issuer"
    ) { _ = try await world.session().registration.register(RegistrationOptions()) }
    #expect(first?.subject == "issuer")
    let second = await expect(
      .invalidConfiguration, "could not register: 'work' has no issuer"
    ) {
      _ = try await world.session().registration.use(
        existing:
          ExistingClient(
            clientID: "a", secret: nil, method: .none, redirectURI: nil))
    }
    #expect(second?.subject == "issuer")
  }
}
