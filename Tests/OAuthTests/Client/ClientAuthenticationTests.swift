import TestSupport

@testable import OAuth

@Suite("Client authentication")
struct ClientAuthenticationTests {
  @Test(
    "adds only the client authentication to a form",
    arguments: [
      ("none", .none, "app 1", nil, nil, "a=b&client_id=app%201", false),
      ("none has no use for a secret", .none, "app", "s", nil, "a=b&client_id=app", false),
      ("basic", .basic, "app", "secret", "Basic YXBwOnNlY3JldA==", "a=b&client_id=app", true),
      // RFC 6749 section 2.3.1: app%3A1:p%25%20%2B%26%C3%BC.
      (
        "basic encodes both halves first", .basic, "app:1", "p% +&ü",
        "Basic YXBwJTNBMTpwJTI1JTIwJTJCJTI2JUMzJUJD", "a=b&client_id=app%3A1", true
      ),
      ("post", .post, "a&b", "x=y+z", nil, "a=b&client_id=a%26b&client_secret=x%3Dy%2Bz", true),
      ("basic without a secret is none", .basic, "app", nil, nil, "a=b&client_id=app", false),
      ("post without a secret is none", .post, "app", nil, nil, "a=b&client_id=app", false),
    ] as [(String, ClientAuthentication.Method, String, String?, String?, String, Bool)])
  func authenticates(
    name: String, method: ClientAuthentication.Method, id: String, secret: String?,
    authorization: String?, body: String, isConfidential: Bool
  ) async throws {
    let client = ClientAuthentication(clientID: id, method: method, secret: secret)
    let request = try client.authenticate(try HTTPURL("https://id.test/token"), ["a": "b"])
    #expect(client.isConfidential == isConfidential)
    #expect(request.method == .post)
    #expect(request.url.description == "https://id.test/token")
    #expect(request.fields["Authorization"] == authorization)
    #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request.fields.count { _ in true } == (authorization == nil ? 1 : 2))
    guard case .bytes(let bytes) = request.body else { throw Unmet("the body is not bytes") }
    #expect(String(decoding: bytes, as: UTF8.self) == body)
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
