import TestSupport

@testable import OAuth

@Suite("Server metadata")
struct ServerMetadataTests {
  /// OpenID Connect Discovery 1.0 section 3 has a default; RFC 9101 has none.
  @Test("says whether signed requests are taken, sent by the browser and pushed")
  func signedRequests() throws {
    let member = "request_parameter_supported"
    let algorithms: JSONObject = ["request_object_signing_alg_values_supported": ["RS256"]]
    let openID: JSONObject = ["subject_types_supported": ["public"]]
    let required: JSONObject = ["require_signed_request_object": true]
    let none: JSONObject = [:]
    let rows: [(JSONObject, JSON?, sent: Bool, pushed: Bool)] = [
      (none, nil, false, false), (openID, nil, true, true), (none, false, true, true),
      (none, true, false, false), (openID, true, false, false), (openID, false, true, true),
      (openID.merging(algorithms) { $1 }, nil, false, false), (algorithms, false, true, false),
      (openID.merging(required) { $1 }, nil, false, false), (required, false, false, false),
    ]
    for (members, value, sent, pushed) in rows {
      var members = members
      members[member] = value
      members["issuer"] = "https://id.test"
      let server = try ServerMetadata(members, for: Issuer("https://id.test"))
      #expect(server.refusesSignedRequests(pushed: false) == sent, "\(members)")
      #expect(server.refusesSignedRequests(pushed: true) == pushed, "\(members)")
    }
  }

  @Test(
    "names each endpoint in its own member, and has its name as a key of profiles",
    arguments: [
      (ServerMetadata.Endpoint.authorization, "authorization_endpoint", "authorization"),
      (.token, "token_endpoint", "token"),
      (.registration, "registration_endpoint", "registration"),
      (.revocation, "revocation_endpoint", "revocation"),
      (.introspection, "introspection_endpoint", "introspection"),
      (.userinfo, "userinfo_endpoint", "userinfo"),
      (.keys, "jwks_uri", "jwks"),
      (.endSession, "end_session_endpoint", "endSession"),
      (.clientValidation, "client_validation_endpoint", "clientValidation"),
    ])
  func endpoints(endpoint: ServerMetadata.Endpoint, member: String, name: String) async throws {
    #expect(endpoint.rawValue == member)
    #expect(endpoint.name == name)
    let present = try metadata([member: "https://id.test/here?a=b"])
    #expect(try present.url(of: endpoint)?.description == "https://id.test/here?a=b")
    #expect(try present.required(endpoint).description == "https://id.test/here?a=b")
    for absent in try [nil, .null, ""].map({ try metadata([member: $0]) }) {
      #expect(try absent.url(of: endpoint) == nil)
      await expect(.unsupported, "https://id.test offers no \(name) endpoint") {
        _ = try absent.required(endpoint)
      }
    }
  }

  @Test(
    "is refused when it is another issuer's",
    arguments: [
      (
        ["issuer": nil], OAuthError.Code.malformed,
        "the metadata of https://id.test names no issuer"
      ),
      (["issuer": 7], .malformed, "the metadata of https://id.test names no issuer"),
      (
        ["issuer": "https://evil.test"], .untrusted,
        "the metadata of https://id.test names another issuer, 'https://evil.test'"
      ),
      (
        ["issuer": "https://id.test/"], .untrusted,
        "the metadata of https://id.test names another issuer, 'https://id.test/'"
      ),
      (
        ["issuer": "https://id.test\u{1b}[2J"], .untrusted,
        "the metadata of https://id.test names another issuer, 'https://id.test [2J'"
      ),
    ] as [([String: JSON?], OAuthError.Code, String)])
  func refused(change: [String: JSON?], code: OAuthError.Code, message: String) async {
    await expect(code, message) { _ = try metadata(change) }
  }

  @Test(
    "refuses an unusable endpoint only when it is used",
    arguments: [
      (
        ["token_endpoint": 1], .token, .malformed,
        "the metadata member 'token_endpoint' is a number"
      ),
      (
        ["jwks_uri": ["https://id.test"]], .keys, .malformed,
        "the metadata member 'jwks_uri' is an array"
      ),
      (
        ["token_endpoint": "/token"], .token, .malformed,
        "the metadata member 'token_endpoint' is not a usable URL: "
          + "it has no scheme; write https://HOST/PATH"
      ),
      (
        ["revocation_endpoint": "http://id.test/revoke"], .revocation, .untrusted,
        "the metadata member 'revocation_endpoint' is an http URL"
      ),
    ] as [([String: JSON?], ServerMetadata.Endpoint, OAuthError.Code, String)])
  func unusable(
    change: [String: JSON?], endpoint: ServerMetadata.Endpoint, code: OAuthError.Code,
    message: String
  ) async throws {
    let server = try metadata(change)
    #expect(!server.offers([endpoint]))
    #expect(server.offers([.authorization]))
    await expect(code, message) { _ = try server.url(of: endpoint) }
    let mended = try server.overriding([endpoint.name: "https://id.test/mine"])
    #expect(try mended.required(endpoint).description == "https://id.test/mine")
  }

  @Test("lets an http issuer have http endpoints")
  func insecure() throws {
    let issuer = try Issuer("http://127.0.0.1:9")
    let document: JSONObject = [
      "issuer": "http://127.0.0.1:9", "token_endpoint": "http://127.0.0.1:9/token",
    ]
    let metadata = try ServerMetadata(document, for: issuer)
    #expect(try metadata.url(of: .token)?.description == "http://127.0.0.1:9/token")
  }

  @Test(
    "returns lists of words and the support of iss, and ignores members of other types",
    arguments: [
      (["a", "b"], ["a", "b"], false), ([], [], false), ("a", nil, false), (nil, nil, false),
      (["a", 1], nil, false), (true, nil, true), ("true", nil, false),
    ] as [(JSON?, [String]?, Bool)])
  func words(value: JSON?, words: [String]?, sendsIssuer: Bool) throws {
    let metadata = try metadata([
      "scopes_supported": value, "authorization_response_iss_parameter_supported": value,
    ])
    #expect(metadata.words("scopes_supported") == words)
    #expect(metadata.sendsIssuer == sendsIssuer)
  }

  @Test("puts the endpoints of a profile in place of those announced")
  func overriding() async throws {
    let changed = try metadata().overriding([
      "token": "https://other.test/t", "jwks": "https://other.test/k", "unknown": "x",
    ])
    #expect(try changed.url(of: .token)?.description == "https://other.test/t")
    #expect(try changed.url(of: .keys)?.description == "https://other.test/k")
    #expect(try changed.url(of: .revocation)?.description == "https://id.test/revoke")
    #expect(changed.document["unknown"] == nil)
    await expect(.untrusted, "the metadata member 'token_endpoint' is an http URL") {
      _ = try metadata().overriding(["token": "http://other.test/t"]).url(of: .token)
    }
  }
}
