import TestSupport

@testable import OAuth

/// What large providers publish about themselves; docs/providers.md names the sources.
///
/// The tenants are examples. Only members that decide what is sent are listed.
@Suite("Published metadata")
struct PublishedMetadataTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let issuer: String
    let document: String
  }

  static let rows: [Row] = [
    Row(
      testDescription: "Keycloak", issuer: "https://sso.test/realms/main",
      document: """
        {"authorization_endpoint":"https://sso.test/realms/main/protocol/openid-connect/auth",
        "token_endpoint":"https://sso.test/realms/main/protocol/openid-connect/token",
        "device_authorization_endpoint":"https://sso.test/realms/main/protocol/openid-connect/auth/device",
        "registration_endpoint":"https://sso.test/realms/main/clients-registrations/openid-connect",
        "revocation_endpoint":"https://sso.test/realms/main/protocol/openid-connect/revoke",
        "pushed_authorization_request_endpoint":"https://sso.test/realms/main/protocol/openid-connect/ext/par/request",
        "require_pushed_authorization_requests":false,
        "token_endpoint_auth_methods_supported":
        ["private_key_jwt","client_secret_basic","client_secret_post","tls_client_auth","client_secret_jwt"],
        "authorization_response_iss_parameter_supported":true}
        """),
    Row(
      testDescription: "Entra ID", issuer: "https://login.microsoftonline.com/TENANT/v2.0",
      document: """
        {"authorization_endpoint":"https://login.microsoftonline.com/TENANT/oauth2/v2.0/authorize",
        "token_endpoint":"https://login.microsoftonline.com/TENANT/oauth2/v2.0/token",
        "device_authorization_endpoint":"https://login.microsoftonline.com/TENANT/oauth2/v2.0/devicecode",
        "token_endpoint_auth_methods_supported":
        ["client_secret_post","private_key_jwt","client_secret_basic"]}
        """),
    Row(
      testDescription: "Google", issuer: "https://accounts.google.com",
      document: """
        {"authorization_endpoint":"https://accounts.google.com/o/oauth2/v2/auth",
        "token_endpoint":"https://oauth2.googleapis.com/token",
        "device_authorization_endpoint":"https://oauth2.googleapis.com/device/code",
        "revocation_endpoint":"https://oauth2.googleapis.com/revoke",
        "token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"],
        "code_challenge_methods_supported":["plain","S256"]}
        """),
    Row(
      testDescription: "Okta", issuer: "https://dev.okta.com/oauth2/default",
      document: """
        {"authorization_endpoint":"https://dev.okta.com/oauth2/default/v1/authorize",
        "token_endpoint":"https://dev.okta.com/oauth2/default/v1/token",
        "device_authorization_endpoint":"https://dev.okta.com/oauth2/default/v1/device/authorize",
        "revocation_endpoint":"https://dev.okta.com/oauth2/default/v1/revoke",
        "pushed_authorization_request_endpoint":"https://dev.okta.com/oauth2/default/v1/par",
        "token_endpoint_auth_methods_supported":
        ["client_secret_basic","client_secret_post","client_secret_jwt","private_key_jwt","none"],
        "code_challenge_methods_supported":["S256"]}
        """),
    Row(
      testDescription: "Auth0", issuer: "https://tenant.us.auth0.com/",
      document: """
        {"authorization_endpoint":"https://tenant.us.auth0.com/authorize",
        "token_endpoint":"https://tenant.us.auth0.com/oauth/token",
        "device_authorization_endpoint":"https://tenant.us.auth0.com/oauth/device/code",
        "registration_endpoint":"https://tenant.us.auth0.com/oidc/register",
        "revocation_endpoint":"https://tenant.us.auth0.com/oauth/revoke",
        "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post"],
        "code_challenge_methods_supported":["S256","plain"]}
        """),
  ]

  @Test("is found at the first URL, and tells what is sent where", arguments: rows)
  func requests(row: Row) async throws {
    var document = try #require(try JSON(parsing: Array(row.document.utf8)).object)
    document["issuer"] = .string(row.issuer)
    func announced(_ endpoint: ServerMetadata.Endpoint) -> String {
      document[endpoint.rawValue]?.string ?? ""
    }
    let first = row.issuer.last == "/" ? String(row.issuer.dropLast()) : row.issuer
    let transport = FakeTransport([
      first + "/.well-known/openid-configuration": [
        .json(JSON.object(document).serialized())
      ],
      announced(.token): [.json(#"{"access_token":"t","token_type":"Bearer"}"#)],
      announced(.deviceAuthorization): [.json("{}")],
    ])
    let serverClient = ServerClient(transport: transport)
    let server = try await Discovery(serverClient).metadata(of: try Issuer(row.issuer))
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
    let endpoint = TokenEndpoint(
      try server.required(.token), client: client, over: serverClient)
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
