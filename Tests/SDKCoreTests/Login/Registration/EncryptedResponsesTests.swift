import CoreTestSupport

@testable import SDKCore

@Suite("Answers encrypted to the client")
struct EncryptedResponsesTests {
  private static let file = "state/profiles/work/registration.json"
  private static let registered = FakeTransport.Response.json(
    #"{"client_id":"app","client_secret":"s","registration_access_token":"t","#
      + #""registration_client_uri":"https://id.test/register/app"}"#, status: 201)

  @Test("are asked for with a key that is kept, and only its public half leaves")
  func register() async throws {
    let world = try Self.world()
    world.transport.respond("https://id.test/register", Self.registered)
    let options = RegistrationOptions(encryptedResponses: true)
    let registration = try await world.session().registration.register(options)
    let key = try #require(registration.encryptionKey)
    #expect(key.algorithm == .ecdhES)
    let sent = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(sent["id_token_encrypted_response_alg"] == "ECDH-ES")
    #expect(sent["id_token_encrypted_response_enc"] == "A128CBC-HS256")
    #expect(sent["jwks"]?["keys"] == .array([key.publicKey?.json ?? .null]))
    #expect(try world.folder.mode(of: Self.file) == 0o600)
    let kept = try JSON(parsing: try world.folder.text(of: Self.file))
    #expect(kept["encryptionKey"] == ["alg": "ECDH-ES", "pem": .string(key.pem ?? "")])
    #expect(try await world.session().registration.current() == registration)
    #expect(registration.publicMetadata["encryptionKey"] == nil)
  }

  @Test(
    "cause a warning if the server does not register them, and only then",
    arguments: [
      ("", true, false), (#","id_token_encrypted_response_alg":null"#, true, true),
      (#","id_token_encrypted_response_alg":"RSA-OAEP""#, true, false),
      (#","id_token_encrypted_response_alg":null"#, false, false),
    ])
  func lacking(member: String, asks: Bool, lacks: Bool) async throws {
    let world = try Self.world()
    world.transport.respond(
      "https://id.test/register",
      .json(#"{"client_id":"app","client_secret":"s"\#(member)}"#, status: 201))
    let options = RegistrationOptions(encryptedResponses: asks)
    let registration = try await world.session().registration.register(options)
    #expect(registration.lacksEncryption == lacks)
    #expect(try await world.session().registration.current()?.lacksEncryption == lacks)
  }

  @Test("can be requested later too, and other changes keep the key")
  func update() async throws {
    let world = try Self.world()
    world.transport.respond("https://id.test/register", Self.registered)
    let first = try await world.session().registration.register(.init(method: .privateKeyJWT))
    let signing = try #require(first.key?.publicKey.json)
    #expect(first.encryptionKey == nil)
    world.transport.respond("https://id.test/register/app", Self.registered)
    let second = try await world.session().registration.update(.init(encryptedResponses: true))
    let key = try #require(second.encryptionKey)
    #expect(try Self.keys(world) == [signing, key.publicKey?.json ?? .null])
    let third = try await world.session().registration.update(.init(method: .privateKeyJWT))
    #expect(third.encryptionKey == key)
    #expect(
      try Self.keys(world) == [
        try #require(third.key).publicKey.json, key.publicKey?.json ?? .null,
      ])
    #expect(third.client["id_token_encrypted_response_alg"] == "ECDH-ES")
    let fourth = try await world.session().registration.update(
      .init(method: ClientAuthentication.Method.none))
    #expect(fourth.encryptionKey == key)
    #expect(try Self.keys(world) == [key.publicKey?.json ?? .null])
  }

  @Test("are decrypted at a login, and the ID token is kept in clear")
  func login() async throws {
    let world = try Self.world()
    let issuer = try IDTokenIssuer()
    world.transport.respond(IDTokenIssuer.keysURL, .json(issuer.document))
    let key = try DecryptionKey.generate(.ecdhES)
    try await Self.register(world, key)
    let published = try #require(key.publicKey)
    let inClear = Mutex("")
    let seal = { @Sendable (token: String) in
      try JWE.encrypt(Array(token.utf8), to: published, .ecdhES, .a256GCM)
    }
    let person = Person(["x?code=c&state=STATE"])
    let paste: LoginPaste = { (complaint) throws(SDKError) in
      // The nonce is known once the request is.
      let nonce = person.asked["nonce"].map { JSON.string($0) }
      if let token = try? issuer.token(["nonce": nonce]), let sealed = try? seal(token) {
        inClear.withLock { $0 = token }
        Self.answer(world, sealed)
      }
      return try await person.paste(complaint)
    }
    let result = try await world.session().login.logIn(
      by: .pasted(present: person.see, paste: paste))
    #expect(result.subject == "alice")
    #expect(result.tokens.idToken == inClear.withLock { $0 })
    #expect(try await world.stored()?.idToken == inClear.withLock { $0 })
    Self.answer(world, try seal("{}"))
    await expect(.untrusted) {
      let person = Person(["x?code=c&state=STATE"])
      _ = try await world.session().login.logIn(by: person.way)
    }
  }

  private static func register(_ world: World, _ key: DecryptionKey) async throws {
    try await world.save(
      [
        "client_id": "app", "client_secret": "s",
        "id_token_encrypted_response_alg": "ECDH-ES",
        "id_token_encrypted_response_enc": "A256GCM",
      ], encryptionKey: key)
  }

  private static func answer(_ world: World, _ idToken: String) {
    world.grant("a1", ["expires_in": 60, "id_token": .string(idToken)])
  }

  /// The keys that the client sent last.
  private static func keys(_ world: World) throws -> [JSON] {
    let sent = try JSON(parsing: try #require(world.transport.sent.last).body)
    return sent["jwks"]?["keys"]?.array ?? []
  }

  private static func world() throws -> World {
    let world = try World()
    world.announce(
      #""id_token_encryption_alg_values_supported":["ECDH-ES","RSA-OAEP"],"#
        + #""id_token_signing_alg_values_supported":["ES256"]"#)
    return world
  }
}
