import TestSupport

@testable import OAuth

@Suite("Client authentication")
struct ClientAuthenticationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let method: ClientAuthentication.Method
    let id: String
    let secret: String?
    let authorization: String?
    let body: String
    let isConfidential: Bool
  }

  @Test(
    "adds only the client authentication to a form",
    arguments: [
      Row(
        testDescription: "none", method: .none, id: "app 1", secret: nil, authorization: nil,
        body: "a=b&client_id=app%201", isConfidential: false),
      Row(
        testDescription: "none has no use for a secret", method: .none, id: "app", secret: "s",
        authorization: nil, body: "a=b&client_id=app", isConfidential: false),
      Row(
        testDescription: "basic", method: .basic, id: "app", secret: "secret",
        authorization: "Basic YXBwOnNlY3JldA==", body: "a=b&client_id=app", isConfidential: true),
      // RFC 6749 section 2.3.1: app%3A1:p%25%20%2B%26%C3%BC.
      Row(
        testDescription: "basic encodes both halves first", method: .basic, id: "app:1",
        secret: "p% +&ü", authorization: "Basic YXBwJTNBMTpwJTI1JTIwJTJCJTI2JUMzJUJD",
        body: "a=b&client_id=app%3A1", isConfidential: true),
      Row(
        testDescription: "post", method: .post, id: "a&b", secret: "x=y+z", authorization: nil,
        body: "a=b&client_id=a%26b&client_secret=x%3Dy%2Bz", isConfidential: true),
      Row(
        testDescription: "basic without a secret is none", method: .basic, id: "app", secret: nil,
        authorization: nil, body: "a=b&client_id=app", isConfidential: false),
      Row(
        testDescription: "post without a secret is none", method: .post, id: "app", secret: nil,
        authorization: nil, body: "a=b&client_id=app", isConfidential: false),
    ])
  func authenticates(row: Row) async throws {
    let client = ClientAuthentication(clientID: row.id, method: row.method, secret: row.secret)
    let request = try client.authenticate(try HTTPURL("https://id.test/token"), ["a": "b"])
    #expect(client.isConfidential == row.isConfidential)
    #expect(request.method == .post)
    #expect(request.url.description == "https://id.test/token")
    #expect(request.fields["Authorization"] == row.authorization)
    #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request.fields.count { _ in true } == (row.authorization == nil ? 1 : 2))
    guard case .bytes(let bytes) = request.body else { throw Unmet("the body is not bytes") }
    #expect(String(decoding: bytes, as: UTF8.self) == row.body)
  }

  @Test(
    "prefers Basic, then the body, then a key, and is Basic if the server announces nothing",
    arguments: [
      (nil, .basic), (["client_secret_post", "client_secret_basic"], .basic),
      (["private_key_jwt", "client_secret_post"], .post), (["none"], .none),
      (["client_secret_jwt", "private_key_jwt"], .privateKeyJWT),
      (["none", "client_secret_jwt"], .secretJWT), (["tls_client_auth"], .none), ([], .none),
      ("client_secret_post", .basic),
    ] as [(JSON?, ClientAuthentication.Method)])
  func preferred(offered: JSON?, method: ClientAuthentication.Method) throws {
    let metadata = try metadata(["token_endpoint_auth_methods_supported": offered])
    #expect(ClientAuthentication.preferred(by: metadata) == method)
  }
}
