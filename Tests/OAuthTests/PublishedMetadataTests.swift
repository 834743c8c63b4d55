import TestSupport

@testable import OAuth

/// What large providers publish about themselves; docs/providers.md names the sources.
@Suite("Published metadata")
struct PublishedMetadataTests {
  /// Without the file the test fails.
  static let rows: [JSON] = Vectors.providers["providers"]?.array ?? [.null]

  @Test("is found at the first URL, and tells what is sent where", arguments: rows)
  func requests(row: JSON) async throws {
    let document = try #require(row["document"]?.object)
    let issuer = try #require(document["issuer"]?.string)
    func announced(_ endpoint: ServerMetadata.Endpoint) -> String {
      document[endpoint.rawValue]?.string ?? ""
    }
    let first = issuer.last == "/" ? String(issuer.dropLast()) : issuer
    let transport = FakeTransport([
      first + "/.well-known/openid-configuration": [.json(JSON.object(document).serialized())],
      announced(.token): [.token],
      announced(.deviceAuthorization): [.json("{}")],
    ])
    let serverClient = ServerClient(transport: transport)
    let server = try await Discovery(serverClient).metadata(of: try Issuer(issuer))
    for endpoint in [ServerMetadata.Endpoint.registration, .revocation, .pushedAuthorization] {
      #expect(server.offers([endpoint]) == (document[endpoint.rawValue] != nil), "\(endpoint)")
    }
    #expect(!server.requiresPushedAuthorization)
    let method = ClientAuthentication.preferred(by: server)
    #expect(method == .basic)
    let request = try AuthorizationRequest(
      endpoint: try server.required(.authorization), clientID: "app",
      redirectURI: "http://127.0.0.1:1/cb", scope: "openid")
    #expect(request.endpoint.description == announced(.authorization))
    #expect(request.query["code_challenge_method"] == "S256")
    let client = ClientAuthentication(clientID: "app", method: method, secret: "s")
    let endpoint = TokenEndpoint(try server.required(.token), client: client, over: serverClient)
    _ = try await endpoint.exchange(code: "c", of: request)
    _ = try? await DeviceAuthorization.request(
      at: try server.required(.deviceAuthorization), scope: "openid", client: client,
      over: serverClient)
    #expect(
      transport.sent.map(\.url).dropFirst() == [announced(.token), announced(.deviceAuthorization)])
    for sent in transport.sent.dropFirst() {
      #expect(sent.fields["Authorization"] == "Basic YXBwOnM=")
      #expect(FormParameters(encoded: sent.body)?["client_id"] == "app")
    }
  }

  @Test("of Entra ID's common endpoints names an issuer of which the tokens name the tenant")
  func common() throws {
    let issuer = try Issuer("https://login.microsoftonline.com/common/v2.0")
    let server = try ServerMetadata(
      ["issuer": "https://login.microsoftonline.com/{tenantid}/v2.0"], for: issuer)
    #expect(server.document["issuer"] == "https://login.microsoftonline.com/{tenantid}/v2.0")
  }
}
