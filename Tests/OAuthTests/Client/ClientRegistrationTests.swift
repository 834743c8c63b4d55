import JOSE
import TestSupport

@testable import OAuth

@Suite("Client registration")
struct ClientRegistrationTests {
  private static let url = "https://id.test/register"

  private static let client = ClientMetadata(
    clientName: "sdkctl", redirectURIs: ["http://127.0.0.1:61000/callback"],
    grantTypes: ClientMetadata.grantTypes(confidential: true), scope: "openid profile",
    authenticationMethod: .basic)

  private static let created = FakeTransport.Response.json(
    #"{"client_id":"c1","client_secret":"s","registration_access_token":"r"}"#, status: 201)

  private static let invalid = FakeTransport.Response.json(
    #"{"error":"invalid_client_metadata"}"#, status: 400)

  @Test("sends the metadata as JSON, and keeps the whole response")
  func body() async throws {
    let transport = FakeTransport([Self.url: [Self.created]])
    let registration = try await ClientRegistration.register(
      Self.client, at: try metadata(), initialAccessToken: nil,
      over: ServerClient(transport: transport))
    #expect(registration.response.clientID == "c1")
    #expect(registration.refusedGrants == [])
    #expect(
      registration.response.document
        == ["client_id": "c1", "client_secret": "s", "registration_access_token": "r"])
    let sent = try #require(transport.sent.first)
    #expect(transport.sent.count == 1)
    #expect(sent.method == "POST")
    #expect(sent.fields["Content-Type"] == "application/json")
    #expect(sent.fields["Authorization"] == nil)
    let expected: JSON = [
      "application_type": "native", "client_name": "sdkctl",
      "redirect_uris": ["http://127.0.0.1:61000/callback"],
      "grant_types": ["authorization_code", "refresh_token", "client_credentials"],
      "response_types": ["code"], "scope": "openid profile",
      "token_endpoint_auth_method": "client_secret_basic",
    ]
    #expect(try JSON(parsing: sent.body) == expected)
  }

  @Test("leaves out what is not known, and a public client asks for no token of its own")
  func sparse() {
    let client = ClientMetadata(
      clientName: nil, redirectURIs: [], grantTypes: ClientMetadata.grantTypes(confidential: false),
      scope: nil, authenticationMethod: .none)
    let expected: JSONObject = [
      "application_type": "native", "redirect_uris": [],
      "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
      "token_endpoint_auth_method": "none",
    ]
    #expect(client.json == expected)
  }

  @Test("registers the given software statement and contacts")
  func software() {
    var client = Self.client
    client.softwareID = "id"
    client.softwareVersion = "1"
    client.softwareStatement = "a.b.c"
    client.contacts = ["ops@example.com", "dev@example.com"]
    let added = client.json.filter { Self.client.json[$0.key] != $0.value }
    let expected: JSONObject = [
      "software_id": "id", "software_version": "1", "software_statement": "a.b.c",
      "contacts": ["ops@example.com", "dev@example.com"],
    ]
    #expect(added == expected)
  }

  @Test("registers its public key and its signature algorithm")
  func keys() throws {
    var client = Self.client
    client.authenticationMethod = .secretJWT
    #expect(client.json["token_endpoint_auth_signing_alg"] == "HS256")
    #expect(client.json["jwks"] == nil)
    let key = try SigningKey.generate(.es256)
    client.authenticationMethod = .privateKeyJWT
    client.key = key
    #expect(client.json["token_endpoint_auth_signing_alg"] == "ES256")
    #expect(client.json["jwks"] == ["keys": [key.publicKey.json]])
    #expect(client.json["jwks"]?["keys"]?.array?.first?["d"] == nil)
  }

  private static let all: JSON = ["authorization_code", "refresh_token", "client_credentials"]
  private static let login: JSON = ["authorization_code", "refresh_token"]
  private static let deviceGrant: JSON = "urn:ietf:params:oauth:grant-type:device_code"
  private static let exchangeGrant: JSON = "urn:ietf:params:oauth:grant-type:token-exchange"

  private static let assertionGrant: JSON = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  private static func extended(_ grants: JSON...) -> JSON { .array((all.array ?? []) + grants) }

  @Test(
    "asks again with the announced grants after invalid_client_metadata, and only then",
    arguments: [
      (
        "narrowed", ["refresh_token"], [invalid, created],
        [all, ["authorization_code", "refresh_token"]], nil, nil
      ),
      (
        "refused twice", ["authorization_code"], [invalid, invalid],
        [all, ["authorization_code"], login], .refused, "invalid_client_metadata"
      ),
      (
        "device and exchange, by every name", ["authorization_code", deviceGrant, exchangeGrant],
        [invalid, invalid, invalid, created],
        [
          extended(deviceGrant, exchangeGrant), extended("device_authorization"), all,
          ["authorization_code"],
        ], nil, nil
      ),
      (
        "device and exchange at once", ["authorization_code", deviceGrant, exchangeGrant],
        [created], [extended(deviceGrant, exchangeGrant)], nil, nil
      ),
      (
        "assertions, but no passwords", ["authorization_code", assertionGrant, "password"],
        [created], [extended(assertionGrant)], nil, nil
      ),
      ("a login alone, where all are announced", all, [invalid, created], [all, login], nil, nil),
      ("a login alone, at a silent server", nil, [invalid, created], [all, login], nil, nil),
      (
        "a code alone, last", ["authorization_code", "client_credentials"],
        [invalid, invalid, invalid, created],
        [all, ["authorization_code", "client_credentials"], login, ["authorization_code"]], nil, nil
      ),
      (
        "the code of the token endpoint", nil,
        [.json(#"{"error":"unsupported_grant_type"}"#, status: 400), created], [all, login], nil,
        nil
      ),
      (
        "another error", ["authorization_code"],
        [.json(#"{"error":"invalid_redirect_uri"}"#, status: 400), created], [all], .refused,
        "invalid_redirect_uri"
      ),
      (
        "401", ["authorization_code"], [.other(401, "text/plain"), created], [all], .refused,
        "id.test returned 401"
      ),
      (
        "500", ["authorization_code"],
        [.json(#"{"error":"invalid_client_metadata"}"#, status: 500), created], [all], .unavailable,
        "id.test returned 500"
      ),
    ] as [(String, JSON?, [FakeTransport.Response], [JSON], OAuthError.Code?, String?)])
  func retries(
    name: String, announced: JSON?, answers: [FakeTransport.Response], grants: [JSON],
    code: OAuthError.Code?, message: String?
  ) async throws {
    let transport = FakeTransport([Self.url: answers])
    let server = try metadata(["grant_types_supported": announced])
    let register = {
      try await ClientRegistration.register(
        Self.client, at: server, initialAccessToken: "initial",
        over: ServerClient(transport: transport))
    }
    if let code = code {
      await expect(code, message ?? "") { _ = try await register() }
    } else {
      #expect(try await register().response.clientID == "c1")
    }
    let bodies = try transport.sent.map { try JSON(parsing: $0.body) }
    #expect(bodies.map { $0["grant_types"] ?? .null } == grants)
    #expect(transport.sent.allSatisfy { $0.fields["Authorization"] == "Bearer initial" })
  }

  @Test(
    "reports which grants the server did not register, by its refusal or by its response",
    arguments: [
      ([invalid, created], ["client_credentials"]), ([created], []),
      (
        [.json(#"{"client_id":"c","grant_types":["authorization_code"]}"#, status: 201)],
        ["refresh_token", "client_credentials"]
      ),
    ] as [([FakeTransport.Response], [String])])
  func refusedGrants(answers: [FakeTransport.Response], refused: [String]) async throws {
    let result = try await ClientRegistration.register(
      Self.client, at: try metadata(), initialAccessToken: nil,
      over: ServerClient(transport: FakeTransport([Self.url: answers])))
    #expect(result.refusedGrants == refused)
    #expect(result.sent.grantTypes.contains("client_credentials") == (answers.count == 1))
  }

  @Test("counts the device grant as registered under either name")
  func deviceGrantNames() async throws {
    let answer =
      #"{"client_id":"c","grant_types":["authorization_code","refresh_token","#
      + #""client_credentials","device_authorization"]}"#
    let result = try await ClientRegistration.register(
      Self.client,
      at: try metadata(["grant_types_supported": ["authorization_code", Self.deviceGrant]]),
      initialAccessToken: nil,
      over: ServerClient(transport: FakeTransport([Self.url: [Self.invalid, .json(answer)]])))
    #expect(result.refusedGrants == [])
  }

  @Test(
    "requests the password grant if the client uses passwords, announced or not",
    arguments: [
      (true, ["password"], true), (true, ["authorization_code"], true), (true, nil, true),
      (false, ["password"], false),
    ] as [(Bool, JSON?, Bool)])
  func passwords(takes: Bool, announced: JSON?, asks: Bool) throws {
    var client = Self.client
    client.takesPasswords = takes
    let variants = client.variants(at: try metadata(["grant_types_supported": announced]))
    #expect(variants.first?.grantTypes.contains("password") == asks)
    #expect(variants.contains { !$0.grantTypes.contains("password") })
    (client.scope, client.requiresScope) = (nil, false)
    let bare = client.variants(at: try metadata(["grant_types_supported": announced]))
    #expect(bare.count == Set(bare).count)
  }

  @Test(
    "refuses a response without a client id",
    arguments: ["{}", #"{"client_id":7}"#, #"{"client_id":""}"#, #"{"client_id":null}"#])
  func malformed(answer: String) async throws {
    let transport = FakeTransport([Self.url: [.json(answer, status: 201)]])
    await expect(.malformed, "the registration response has no client_id") {
      _ = try await ClientRegistration.register(
        Self.client, at: try metadata(), initialAccessToken: nil,
        over: ServerClient(transport: transport))
    }
  }

  @Test(
    "reads a list of one method as that method, and ignores other values",
    arguments: [
      (["client_secret_post"], "client_secret_post"), ("none", "none"), (["none", "none"], nil),
      ([], nil), (7, nil), (nil, nil),
    ] as [(JSON?, JSON?)])
  func methodList(answered: JSON?, taken: JSON?) throws {
    var document: JSONObject = ["client_id": "c"]
    document["token_endpoint_auth_method"] = answered
    let registration = try ClientRegistration(document)
    #expect(registration.document["token_endpoint_auth_method"] == taken)
    #expect(registration.document["client_id"] == "c")
  }

  @Test("fails if the server does not offer it")
  func unsupported() async throws {
    let transport = FakeTransport()
    let error = await expect(.unsupported, "https://id.test offers no registration endpoint") {
      _ = try await ClientRegistration.register(
        Self.client, at: try metadata(["registration_endpoint": nil]), initialAccessToken: nil,
        over: ServerClient(transport: transport))
    }
    #expect(error?.reason == .missingEndpoint(.registration))
    #expect(transport.sent.isEmpty)
  }
}
