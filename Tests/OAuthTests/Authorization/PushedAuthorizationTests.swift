import TestSupport

@testable import OAuth

@Suite("Pushed authorization request")
struct PushedAuthorizationTests {
  private static let par = "https://id.test/par"

  @Test("carries the whole request, and leaves the browser a reference")
  func pushes() async throws {
    let answer = FakeTransport.Response.json(
      #"{"request_uri":"urn:x:1 2","expires_in":60}"#, status: 201)
    let transport = FakeTransport([Self.par: [answer]])
    let request = try Self.request()
    for client in [ClientAuthentication.open, .basic] {
      let url = try await PushedAuthorization.push(
        request.query, of: request, to: try HTTPURL(Self.par), client: client,
        over: ServerClient(transport: transport))
      #expect(
        url.description
          == "https://id.test/authorize?tenant=1&client_id=app&request_uri=urn%3Ax%3A1%202")
    }
    #expect(transport.sent.map { $0.fields["Authorization"] } == [nil, "Basic YXBwOnM="])
    for sent in transport.sent {
      let parameters = try #require(FormParameters(encoded: sent.body))
      #expect(parameters.values(of: "client_id") == ["app"])
      #expect(parameters.values(of: "resource") == ["https://a.test", "https://b.test"])
      #expect(parameters["state"] == request.state)
      #expect(parameters["nonce"] == request.nonce)
      #expect(parameters["code_challenge"] == request.pkce?.challenge)
      #expect(parameters["redirect_uri"] == "http://127.0.0.1:61000/callback")
      #expect(parameters["response_type"] == "code")
    }
  }

  @Test(
    "fails with the error of the server",
    arguments: [
      (
        FakeTransport.Response.json("{}", status: 201), OAuthError.Code.malformed,
        "the response to the pushed request has no request_uri"
      ),
      (
        .json(#"{"request_uri":""}"#, status: 201), .malformed,
        "the response to the pushed request has no request_uri"
      ),
      (.json(#"{"error":"invalid_request"}"#, status: 400), .refused, "invalid_request"),
      (.other(503, "text/plain"), .unavailable, "id.test returned 503"),
      (.other(429, "text/plain"), .unavailable, "id.test returned 429"),
    ])
  func fails(answer: FakeTransport.Response, code: OAuthError.Code, message: String) async throws {
    let transport = FakeTransport([Self.par: [answer]])
    let request = try Self.request()
    await expect(code, message) {
      _ = try await PushedAuthorization.push(
        request.query, of: request, to: try HTTPURL(Self.par), client: .open,
        over: ServerClient(transport: transport))
    }
  }

  private static func request() throws -> AuthorizationRequest {
    try AuthorizationRequest(
      scope: "openid", ["resource": "https://a.test", "resource": "https://b.test"],
      at: "https://id.test/authorize?tenant=1")
  }
}
