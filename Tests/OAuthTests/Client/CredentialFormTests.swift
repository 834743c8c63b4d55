import TestSupport

@testable import OAuth

@Suite("The form of a credential")
struct CredentialFormTests {
  private static let url = "https://id.test/token"
  private static let refusal = FakeTransport.Response.json(
    #"{"error":"invalid_client"}"#, status: 401)
  private static let token = FakeTransport.Response.json(#"{"a":1}"#)
  /// `app:s/1`, with the secret encoded and not.
  private static let encoded = "Basic YXBwOnMlMkYx"
  private static let raw = "Basic YXBwOnMvMQ=="

  @Test(
    "without percent-encoding is tried if the server refuses an encoded Basic credential",
    arguments: [
      ("s/1", nil, [encoded, raw]), ("s/1", true, [encoded]), ("s/1", false, [raw]),
      ("s1", nil, ["Basic YXBwOnMx"]),
    ] as [(String, Bool?, [String])])
  func basic(secret: String, encodes: Bool?, sent: [String]) async throws {
    let transport = FakeTransport([Self.url: [Self.refusal]])
    await expect(.refused, "invalid_client") {
      try await Self.send(Self.client(secret, encodes), over: transport)
    }
    #expect(transport.sent.map { $0.fields["Authorization"] ?? "" } == sent)
  }

  @Test("is stored when the server accepts it, and is the first one tried afterwards")
  func memory() async throws {
    let transport = FakeTransport([Self.url: [Self.refusal, Self.token]])
    let memory = MemoryCache<CredentialForm>()
    var client = Self.client("s/1")
    client.acceptedForms = memory
    try await Self.send(client, over: transport)
    #expect(memory.all == ["app": .raw])
    try await Self.send(client, over: transport)
    #expect(
      transport.sent.map { $0.fields["Authorization"] } == [Self.encoded, Self.raw, Self.raw])
    // A server that changed its mind is asked in the other form again.
    transport.respond(Self.url, Self.refusal)
    await expect(.refused, "invalid_client") { try await Self.send(client, over: transport) }
    #expect(
      transport.sent.suffix(2).map { $0.fields["Authorization"] } == [Self.raw, Self.encoded])
    #expect(memory.all == ["app": .raw])
  }

  @Test("is not stored if it is the default, or if the server refused it")
  func nothingLearned() async throws {
    for answer in [Self.token, Self.refusal] {
      let memory = MemoryCache<CredentialForm>()
      var client = Self.client("s/1")
      client.acceptedForms = memory
      try? await Self.send(client, over: FakeTransport([Self.url: [answer]]))
      #expect(memory.all.isEmpty)
    }
  }

  @Test("is not changed after an error that is not about the client")
  func otherRefusals() async throws {
    for answer in [#"{"error":"invalid_grant"}"#, #"{"error":"invalid_request"}"#] {
      let transport = FakeTransport([Self.url: [.json(answer, status: 400)]])
      try? await Self.send(Self.client("s/1"), over: transport)
      #expect(transport.sent.count == 1)
    }
  }

  @Test("is the same for every grant at the token endpoint")
  func tokenEndpoint() async throws {
    let transport = FakeTransport([Self.url: [Self.refusal, .token]])
    let endpoint = try TokenEndpoint(transport, as: Self.client("s/1"))
    #expect(try await endpoint.refresh("r").accessToken == "at")
    #expect(
      Set(transport.sent.map(\.body))
        == ["grant_type=refresh_token&refresh_token=r&client_id=app"])
  }

  @Test(
    "is named in the error if every form was refused",
    arguments: [
      ("s/1", nil, false, .registered), ("s/1", true, false, .encoded),
      ("s/1", true, true, .encoded),
      ("s/1", false, false, .registered), ("s1", true, false, .registered),
      ("s1", nil, true, .given),
    ] as [(String, Bool?, Bool, RefusedClient)])
  func reason(
    secret: String, encodes: Bool?, isGiven: Bool, reason: RefusedClient
  ) async throws {
    var client = Self.client(secret, encodes)
    client.isGiven = isGiven
    let given = client
    let error = await expect(.refused, "invalid_client") {
      try await Self.send(given, over: FakeTransport([Self.url: [Self.refusal]]))
    }
    #expect(error?.reason == .refusedClient(reason))
  }

  @Test(
    "that may not use a grant is an error that says whose client it is", arguments: [true, false])
  func grant(isGiven: Bool) async throws {
    var client = Self.client("s1", nil)
    client.isGiven = isGiven
    let given = client
    let refusal = FakeTransport.Response.json(#"{"error":"unauthorized_client"}"#, status: 400)
    let error = await expect(
      .refused, "unauthorized_client: this client may not use the grant 'refresh_token'"
    ) {
      try await Self.send(
        given, ["grant_type": "refresh_token"], over: FakeTransport([Self.url: [refusal]]))
    }
    #expect(error?.reason == .refusedClient(isGiven ? .given : .registered))
  }

  @Test(
    "follows the methods that a server announces for revocation and introspection",
    arguments: [
      (.post, ["client_secret_basic"], .basic), (.basic, ["client_secret_post"], .post),
      (.post, ["client_secret_post", "client_secret_basic"], .post), (.post, nil, .post),
      (.post, ["private_key_jwt"], .post), (.none, ["client_secret_basic"], .none),
      (.basic, ["none", "client_secret_jwt"], .secretJWT),
    ] as [(ClientAuthentication.Method, JSON?, ClientAuthentication.Method)])
  func announced(
    registered: ClientAuthentication.Method, offered: JSON?, used: ClientAuthentication.Method
  ) throws {
    let client = ClientAuthentication(clientID: "app", method: registered, secret: "s")
    for endpoint in [ServerMetadata.Endpoint.revocation, .introspection] {
      let server = try metadata([
        "\(endpoint.rawValue)_auth_methods_supported": offered,
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
      ])
      #expect(client.at(endpoint, of: server).method == used)
      #expect(client.at(server).method == registered)
    }
  }

  @Test("is the registered one if the server refuses the method that it announces")
  func registeredMethod() async throws {
    let transport = FakeTransport([Self.url: [.json("{}", status: 401), Self.token]])
    let server = try metadata([
      "revocation_endpoint_auth_methods_supported": ["client_secret_basic"]
    ])
    let client = ClientAuthentication(clientID: "app", method: .post, secret: "s1")
    try await Self.send(client.at(.revocation, of: server), over: transport)
    #expect(transport.sent.map { $0.fields["Authorization"] } == ["Basic YXBwOnMx", nil])
    #expect(transport.sent.map(\.body) == ["client_id=app", "client_id=app&client_secret=s1"])
  }

  private static func client(_ secret: String, _ encodes: Bool? = nil) -> ClientAuthentication {
    var client = ClientAuthentication(clientID: "app", method: .basic, secret: secret)
    client.encodesBasic = encodes
    // A form of another method, which the client may have had.
    client.acceptedForms = MemoryCache<CredentialForm>(["app": .issuer])
    return client
  }

  private static func send(
    _ client: ClientAuthentication, _ parameters: FormParameters = [:],
    over transport: FakeTransport
  ) async throws {
    _ = try await ServerClient(transport: transport)
      .object(parameters, to: try HTTPURL(url), as: client)
  }
}
