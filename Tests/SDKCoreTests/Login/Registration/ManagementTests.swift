import CoreTestSupport

@testable import SDKCore

@Suite("Management of a registration")
struct ManagementTests {
  private static let url = "https://id.test/register/app"
  private static let file = "state/profiles/work/registration.json"

  @Test("reads what the server knows, and keeps new credentials with the metadata")
  func read() async throws {
    let world = try await Self.world()
    world.transport.respond(
      Self.url,
      .json(
        #"{"client_id":"app","client_secret":"s2","client_name":"theirs","#
          + #""registration_access_token":"t2"}"#))
    let registration = try await world.session().registration.read()
    #expect(
      registration.client == [
        "client_id": "app", "client_secret": "s2", "client_name": "theirs", "scope": "a",
        "redirect_uris": ["http://127.0.0.1:61000/callback"],
        "grant_types": ["authorization_code", "device", "client_credentials"],
        "registration_access_token": "t2", "registration_client_uri": .string(Self.url),
      ])
    #expect(registration.obtained == 7)
    #expect(try await world.session().registration.current() == registration)
    #expect(try await world.stored()?.accessToken == "a1")
    #expect(world.transport.lines == ["GET \(Self.url)"])
    #expect(world.transport.sent.first?.fields["Authorization"] == "Bearer t1")
  }

  @Test("a secret without an expiry in the response keeps its expiry, a new one does not")
  func expiry() async throws {
    for (answer, end) in [
      (#"{"client_id":"app"}"#, 50), (#"{"client_id":"app","client_secret":"s"}"#, nil),
      (#"{"client_id":"app","client_secret":"s","client_secret_expires_at":60}"#, 60),
    ] as [(String, Timestamp?)] {
      let world = try await Self.world(["client_secret_expires_at": 50])
      world.transport.respond(Self.url, .json(answer))
      #expect(try await world.session().registration.read().secretExpires == end)
    }
  }

  @Test("sends the server's metadata with the requested changes, with the newest token")
  func update() async throws {
    let world = try await Self.world()
    world.transport.respond(
      Self.url,
      .json(#"{"client_id":"app","logo":"theirs","registration_access_token":"t2"}"#),
      .json(#"{"client_id":"app","scope":"less","registration_access_token":"t3"}"#))
    var changes = RegistrationOptions()
    changes.clientName = "mine"
    changes.scope = "a b"
    changes.redirectURI = "http://127.0.0.1:62000/callback"
    changes.softwareID = "id"
    changes.softwareVersion = "2"
    changes.softwareStatement = "x.y.z"
    changes.contacts = ["ops"]
    let registration = try await world.session().registration.update(changes)
    let sent: JSONObject = [
      "client_id": "app", "client_name": "mine", "scope": "a b", "logo": "theirs",
      "redirect_uris": ["http://127.0.0.1:62000/callback"], "software_id": "id",
      "software_version": "2", "software_statement": "x.y.z", "contacts": ["ops"],
      "grant_types": ["authorization_code", "device", "client_credentials"],
    ]
    #expect(
      world.transport.lines == ["GET \(World.metadataURL)", "GET \(Self.url)", "PUT \(Self.url)"])
    let put = try #require(world.transport.sent.last)
    #expect(put.fields["Authorization"] == "Bearer t2")
    #expect(try JSON(parsing: put.body) == .object(sent))
    var kept = sent
    kept["scope"] = "less"
    kept["client_secret"] = "s"
    kept["registration_access_token"] = "t3"
    kept["registration_client_uri"] = .string(Self.url)
    #expect(registration.client == kept)
    #expect(try await world.session().registration.current() == registration)
  }

  @Test("a change leaves out what the server holds as null")
  func nullMembers() async throws {
    let world = try await Self.world(["scope": .null])
    world.transport.respond(
      Self.url, .json(#"{"client_id":"app","logo_uri":null,"scope":null,"tos_uri":"https://t"}"#))
    _ = try await world.session().registration.update(RegistrationOptions())
    let put = try #require(world.transport.sent.last)
    #expect(put.method == "PUT")
    let sent = try #require(try JSON(parsing: put.body).object)
    #expect(sent["tos_uri"] == "https://t")
    #expect(!sent.values.contains(.null))
    #expect(sent["scope"] == nil)
    #expect(sent["logo_uri"] == nil)
  }

  @Test("a token that the read brought is kept even if the change fails")
  func halfway() async throws {
    let world = try await Self.world()
    world.transport.respond(
      Self.url, .json(#"{"client_id":"app","registration_access_token":"t2"}"#), .status(503))
    let message = "could not update the registration of 'work': id.test returned 503"
    await expect(.network, message) {
      _ = try await world.session().registration.update(RegistrationOptions())
    }
    let client = try #require(try await world.session().registration.current()).client
    #expect(client["registration_access_token"] == "t2")
    #expect(client["client_secret"] == "s")
  }

  @Test("changes to a key and back, with the grants and credentials of each")
  func methods() async throws {
    let world = try await Self.world()
    let same = FakeTransport.Response.json(#"{"client_id":"app"}"#)
    world.transport.respond(Self.url, same)
    var changes = RegistrationOptions()
    changes.method = .privateKeyJWT
    let keyed = try await world.session().registration.update(changes)
    let key = try #require(keyed.key)
    #expect(keyed.client["jwks"] == ["keys": [key.publicKey.json]])
    #expect(keyed.client["token_endpoint_auth_signing_alg"] == "ES256")
    #expect(keyed.client["client_secret"] == nil)
    #expect(keyed.isConfidential)
    #expect(try await world.session().registration.current() == keyed)
    #expect(try world.folder.mode(of: Self.file) == 0o600)
    let put = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(put["jwks"] == keyed.client["jwks"])
    changes.method = ClientAuthentication.Method.none
    let open = try await world.session().registration.update(changes)
    #expect(open.key == nil)
    #expect(open.client["jwks"] == nil)
    #expect(open.client["token_endpoint_auth_signing_alg"] == nil)
    #expect(open.client["grant_types"] == ["authorization_code", "device"])
    #expect(!open.isConfidential)
    world.transport.respond(Self.url, same, .json(#"{"client_id":"app","client_secret":"s9"}"#))
    changes.method = .post
    let posted = try await world.session().registration.update(changes)
    #expect(posted.authentication.method == .post)
    #expect(
      posted.client["grant_types"] == ["authorization_code", "device", "client_credentials"])
  }

  @Test(
    "signs requests with what the client has from now on",
    arguments: [
      (ClientAuthentication.Method.privateKeyJWT, "ES256"), (.secretJWT, nil), (.none, nil),
    ] as [(ClientAuthentication.Method, String?)])
  func requestAlgorithm(method: ClientAuthentication.Method, algorithm: String?) async throws {
    let world = try await Self.world(["request_object_signing_alg": "HS512"])
    world.announce(#""request_object_signing_alg_values_supported":["ES256","HS512"]"#)
    world.transport.respond(Self.url, .json(#"{"client_id":"app"}"#))
    let changes = RegistrationOptions(method: method)
    _ = try await world.session().registration.update(changes)
    let put = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(put["request_object_signing_alg"]?.string == algorithm)
  }

  @Test(
    "that fails leaves everything as it was",
    arguments: [
      (
        "token refused", .json(#"{"error":"invalid_token"}"#, status: 401), .refused,
        "the server no longer accepts the client or its access token (invalid_token)", .registerAnew
      ),
      (
        "refused", .json(#"{"error":"invalid_client_metadata"}"#, status: 400), .refused,
        "invalid_client_metadata", nil
      ),
      (
        "another client", .json(#"{"client_id":"other"}"#), .untrusted,
        "the registration response is for another client", nil
      ),
    ] as [(String, FakeTransport.Response, SDKError.Code, String, Remedy?)])
  func failures(
    name: String, answer: FakeTransport.Response, code: SDKError.Code, cause: String,
    remedy: Remedy?
  ) async throws {
    for (verb, isUpdate) in [("read", false), ("update", true)] {
      let world = try await Self.world()
      let before = try world.folder.files().filter {
        $0.key.hasPrefix("state/") && !$0.key.hasSuffix(".lock")
      }
      world.transport.respond(Self.url, answer)
      let message = "could not \(verb) the registration of 'work': \(cause)"
      let error = await expect(code, message) {
        let session = try world.session()
        _ =
          isUpdate
          ? try await session.registration.update(RegistrationOptions())
          : try await session.registration.read()
      }
      #expect(error?.remedy == remedy)
      let after = try world.folder.files().filter { $0.key.hasPrefix("state/") }
      #expect(after.filter { !$0.key.hasSuffix(".lock") } == before)
    }
  }

  @Test("shows the metadata and no credential")
  func publicMetadata() {
    let registration = Registration(
      issuer: "i", source: .dynamic, obtained: 1,
      client: [
        "client_id": "a", "client_secret": "1", "registration_access_token": "2",
        "x_password": "3", "x_private_key": "4", "token_endpoint_auth_method": "none",
        "client_secret_expires_at": 0, "registration_client_uri": "u",
      ])
    #expect(
      Set(registration.publicMetadata.keys) == [
        "client_id", "token_endpoint_auth_method", "client_secret_expires_at",
        "registration_client_uri",
      ])
  }

  static func world(_ changes: JSONObject = [:]) async throws -> World {
    let world = try World()
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "client_name": "ours", "scope": "a",
      "redirect_uris": ["http://127.0.0.1:61000/callback"],
      "grant_types": ["authorization_code", "device", "client_credentials"],
      "registration_access_token": "t1", "registration_client_uri": .string(url),
    ]
    try await world.save(client.merging(changes) { $1 }, obtained: 7)
    try await world.store("a1")
    return world
  }
}
