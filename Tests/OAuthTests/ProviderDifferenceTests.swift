import JOSE
import TestSupport

@testable import OAuth

/// What providers do otherwise than the specifications say, or as few do.
@Suite("A provider that differs")
struct ProviderDifferenceTests {
  private static let form = "application/x-www-form-urlencoded; charset=utf-8"

  @Test(
    "gets its token response read",
    arguments: [
      // GitHub, if nothing asks it for JSON.
      (
        .other(200, form, "access_token=gho_1&scope=repo%2Cgist&token_type=bearer"),
        "repo,gist", nil
      ),
      // The lifetime as text with a fraction, the type in capitals.
      (.json(#"{"access_token":"gho_1","token_type":"BEARER","expires_in":"3599.7"}"#), nil, 3599),
      // Apigee, and Slack for an app.
      (
        .json(#"{"access_token":"gho_1","token_type":"BearerToken","expires_in":"1799"}"#), nil,
        1799
      ),
      (.json(#"{"ok":true,"access_token":"gho_1","token_type":"bot","scope":"a,b"}"#), "a,b", nil),
      // The scope as an array.
      (.json(#"{"access_token":"gho_1","token_type":"bearer","scope":["a","b"]}"#), "a b", nil),
      (.json(#"{"access_token":"gho_1","token_type":"Bearer","scope":[]}"#), nil, nil),
      // No type.
      (.json(#"{"access_token":"gho_1"}"#), nil, nil),
      (.json(#"{"access_token":"gho_1","token_type":null}"#), nil, nil),
      // Members that nobody knows.
      (
        .json(
          #"{"access_token":"gho_1","token_type":"Bearer","expires_in":1,"ext_expires_in":2,"#
            + #""not-before-policy":0,"session_state":"x","error":""}"#), nil, 1
      ),
    ] as [(FakeTransport.Response, String?, Int64?)])
  func token(answer: FakeTransport.Response, scope: String?, lifetime: Int64?) async throws {
    let response = try await Self.endpoint(answer).refresh("r")
    #expect(response.accessToken == "gho_1")
    #expect(response.tokenType == "Bearer")
    #expect(response.scope == scope)
    #expect(response.expiresIn == lifetime)
  }

  @Test(
    "gets its refusal read",
    arguments: [
      // GitHub: status 200, a code of its own.
      (
        .json(#"{"error":"bad_refresh_token","error_description":"expired"}"#), .refused,
        "bad_refresh_token (expired)", true
      ),
      (
        .other(200, form, "error=bad_verification_code&error_description=gone"), .refused,
        "bad_verification_code (gone)", false
      ),
      (.other(400, form, "error=invalid_grant"), .refused, "invalid_grant", true),
      // Okta.
      (
        .json(#"{"errorCode":"E0000011","errorSummary":"Invalid token provided"}"#, status: 401),
        .refused, "id.test returned 401 (Invalid token provided)", false
      ),
      // Facebook.
      (
        .json(#"{"error":{"message":"No code","type":"OAuthException","code":1}}"#, status: 400),
        .refused, "id.test returned 400 (No code)", false
      ),
      // RFC 9457.
      (
        .other(403, "application/problem+json", #"{"title":"Forbidden"}"#), .refused,
        "id.test returned 403 (Forbidden)", false
      ),
      (.other(500, "text/html", "<p>invalid_grant"), .unavailable, "id.test returned 500", false),
      (
        .other(200, form, "access_token=a&access_token=b&token_type=bearer"), .malformed,
        "the response of id.test is not a form with different names", false
      ),
      (
        .other(200, form, ""), .malformed,
        "the response of id.test is not a form with different names", false
      ),
      (
        .other(200, form, (0..<65).map { "a\($0)=1" }.joined(separator: "&")), .malformed,
        "the response of id.test is not a form with different names", false
      ),
    ] as [(FakeTransport.Response, OAuthError.Code, String, Bool)])
  func refusal(
    answer: FakeTransport.Response, code: OAuthError.Code, message: String, endsGrant: Bool
  ) async throws {
    let endpoint = try Self.endpoint(answer)
    let error = await expect(code, message) { _ = try await endpoint.refresh("r") }
    #expect(error?.invalidatesGrant == endsGrant)
  }

  @Test("gets no secret of the request quoted from a refusal of its own kind")
  func quoted() async throws {
    let endpoint = try Self.endpoint(
      .json(#"{"errorSummary":"unknown token refresh-1234"}"#, status: 400))
    await expect(.refused, "id.test returned 400 (unknown token ‹redacted›)") {
      _ = try await endpoint.refresh("refresh-1234")
    }
  }

  @Test(
    "is polled on, whatever the status of `authorization_pending`",
    // GitHub, RFC 8628, Google.
    arguments: [200, 400, 428])
  func polling(status: Int) async throws {
    let pending = FakeTransport.Response.json(#"{"error":"authorization_pending"}"#, status: status)
    let transport = FakeTransport(["https://id.test/token": [pending, .token]])
    // Microsoft's first version writes numbers as text; the second poll is after `interval`.
    let codes = try DeviceAuthorization([
      "device_code": "d", "user_code": "U", "verification_uri": "https://id.test/d",
      "expires_in": "900", "interval": "7",
    ])
    #expect(codes.expiresIn == 900)
    #expect(codes.interval == 7)
    let tokens = try await TokenEndpoint(transport)
      .poll(codes, now: { 1_800_000_000 }, pause: { _ in })
    #expect(tokens.accessToken == "at")
    #expect(transport.sent.count == 2)
  }

  @Test("has a key that verifies, among keys of unknown kinds and keys that are a certificate only")
  func keys() async throws {
    let forge = try TokenForge(.rs256)
    let others: [JSON] = [
      ["kty": "AKP", "alg": "ML-DSA-44", "kid": "k1", "pub": "AA"],
      ["kty": "RSA", "kid": "k1", "x5c": ["MIIB"]], ["kty": "EC", "crv": "secp256k1", "kid": "k1"],
      ["kid": "k1"], 7,
    ]
    // Microsoft's keys name no algorithm.
    let key = try forge.published(["alg": nil, "x5t": "AA", "issuer": "https://id.test"])
    let subject = try await TokenForge.check(
      try forge.token(["aud": ["app"]]), keys: others + [key], announced: ["RS256"])
    #expect(subject == "alice")
  }

  private static func endpoint(_ answer: FakeTransport.Response) throws -> TokenEndpoint {
    try TokenEndpoint(FakeTransport(["https://id.test/token": [answer]]))
  }
}
