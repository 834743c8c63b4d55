package import HTTP
package import JOSE
import JSON
import OpenSSL
package import Primitives

/// A request for an authorization code (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1).
///
/// Made once for a login: `state`, `nonce` and PKCE belong together.
package struct AuthorizationRequest: Sendable {
  package let endpoint: HTTPURL
  package let clientID: String
  package let redirectURI: String
  package let scope: String?
  package let state: String
  /// Sent with every request; an ID token must contain it.
  package let nonce: String
  /// `nil` for a server without support for it.
  package let pkce: PKCE?
  /// Further parameters: `prompt`, `login_hint`, `acr_values`, ….
  package let parameters: FormParameters
  /// Decrypts a response that is a token (JARM).
  package var encryption = ResponseEncryption(key: nil, client: [:])

  package init(
    endpoint: HTTPURL, clientID: String, redirectURI: String, scope: String?,
    parameters: FormParameters = [:], usesPKCE: Bool = true
  ) throws(OAuthError) {
    self.endpoint = endpoint
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scope = scope
    self.parameters = parameters
    state = try randomText(bytes: 24)
    nonce = try randomText(bytes: 24)
    pkce = usesPKCE ? try PKCE() : nil
  }

  /// Whether the response must be a token.
  var expectsToken: Bool {
    parameters["response_mode"].flatMap(ResponseMode.init(identifier:))?.isToken ?? false
  }

  package var query: FormParameters {
    var query: FormParameters = [
      "response_type": "code", "client_id": clientID, "redirect_uri": redirectURI,
    ]
    if let scope, !scope.isEmpty { query["scope"] = scope }
    query["state"] = state
    query["nonce"] = nonce
    if let pkce {
      query["code_challenge"] = pkce.challenge
      query["code_challenge_method"] = "S256"
    }
    for pair in parameters { query.append(pair.name, pair.value) }
    return query
  }
}

extension FormParameters {
  /// Adds `prompt=consent`, without which servers ignore `offline_access` (OpenID Connect
  /// Core 1.0 section 11), unless the request is silent or a sign-up.
  package mutating func askForConsent() {
    let words = (self["prompt"] ?? "").words
    guard Set(words).isSubset(of: ["login", "select_account"]) else { return }
    self["prompt"] = (words + ["consent"]).joined(separator: " ")
  }
}

/// Proof Key for Code Exchange (RFC 7636), always S256.
package struct PKCE: Sendable {
  /// 43 characters of 256 random bits.
  package let verifier: String
  /// `BASE64URL(SHA256(verifier))`.
  package let challenge: String

  package init() throws(OAuthError) { try self.init(verifier: try randomText(bytes: 32)) }

  package init(verifier: String) throws(OAuthError) {
    self.verifier = verifier
    do {
      challenge = Base64URL.encode(try Digest.sha256(verifier))
    } catch {
      throw OAuthError(.unsupported, "\(error)")
    }
  }
}

/// Authorization requests that go to the server directly, not through the browser (RFC 9126).
package enum PushedAuthorization {
  /// Pushes the query of a request, and returns the URL that a browser opens instead.
  package static func push(
    _ query: FormParameters, of request: AuthorizationRequest, to endpoint: HTTPURL,
    client: ClientAuthentication, over serverClient: ServerClient
  ) async throws(OAuthError) -> HTTPURL {
    let document = try await serverClient.object(query, to: endpoint, as: client)
    guard let uri = document["request_uri"]?.string, !uri.isEmpty else {
      throw OAuthError(.malformed, "the response to the pushed request has no request_uri")
    }
    return request.endpoint.adding(["client_id": request.clientID, "request_uri": uri])
  }
}

/// An authorization request as a signed token (RFC 9101), which the browser cannot change.
package struct RequestObject: Sendable {
  private let request: AuthorizationRequest
  private let issuer: Issuer
  private let now: Timestamp

  package init(_ request: AuthorizationRequest, to issuer: Issuer, at now: Timestamp) {
    self.request = request
    self.issuer = issuer
    self.now = now
  }

  /// The parameters that the browser sends instead.
  ///
  /// OpenID Connect Core 6.1 requires some of them outside of the token too.
  package func query(signedBy client: ClientAuthentication) throws(OAuthError) -> FormParameters {
    var query: FormParameters = ["client_id": request.clientID]
    for name in ["response_type", "scope"] { query[name] = request.query[name] }
    query["request"] = try token(signedBy: client)
    return query
  }

  /// The parameters of a pushed request, without the client's authentication (RFC 9126 section 3).
  package func pushed(signedBy client: ClientAuthentication) throws(OAuthError) -> FormParameters {
    ["request": try token(signedBy: client)]
  }

  private func token(signedBy client: ClientAuthentication) throws(OAuthError) -> String {
    guard client.isConfidential else {
      throw OAuthError(
        .unsupported, "the request cannot be signed: the client has neither key nor secret")
    }
    do {
      let payload = JSON.object(try claims()).serialized()
      return try client.sign(
        header: ["typ": "oauth-authz-req+jwt"], payload: Array(payload.utf8))
    } catch {
      throw OAuthError(.unsupported, "the request cannot be signed: \(error.message)")
    }
  }

  private func claims() throws(JOSEError) -> JSONObject {
    let (clientID, parameters) = (request.clientID, request.query)
    var claims: JSONObject = [
      "iss": .string(clientID), "aud": .string(issuer.text), "iat": .time(now),
      "nbf": .time(now), "exp": .time(now + Self.lifetime),
      "jti": .string(try tokenIdentifier()),
    ]
    for name in Set(parameters.map(\.name)) {
      let values = parameters.values(of: name).map { Self.claim(name, $0) }
      claims[name] = values.count == 1 ? values[0] : .array(values)
    }
    return claims
  }

  /// Parameters that are numbers or JSON become claims of that type.
  private static func claim(_ name: String, _ value: String) -> JSON {
    switch name {
    case "max_age": Int64(value).map { .int($0) } ?? .string(value)
    case "authorization_details", "claims": (try? JSON(parsing: value)) ?? .string(value)
    default: .string(value)
    }
  }

  /// Long enough to open a browser by hand.
  private static let lifetime: Int64 = 300

  /// The member of a registration that names the algorithm (RFC 9101 section 10.3).
  package static let algorithmMember = "request_object_signing_alg"

  /// What a client will sign requests with, for its registration; `nil` where the server
  /// announces nothing that the client can.
  package static func algorithm(
    of method: ClientAuthentication.Method, key: SigningKey?, at server: ServerMetadata
  ) -> JWSAlgorithm? {
    let offered = server.words("request_object_signing_alg_values_supported") ?? []
    let own = key?.algorithm ?? (method.usesSecret ? .hs256 : nil)
    return own.flatMap { offered.contains($0.rawValue) ? $0 : nil }
  }
}

/// Random bytes in base64url: `state`, `nonce` and code verifiers.
func randomText(bytes count: Int) throws(OAuthError) -> String {
  do {
    return Base64URL.encode(try Random.bytes(count))
  } catch {
    throw OAuthError(.unsupported, "could not make random numbers: \(error)")
  }
}

/// A `jti` claim that no other token has: 128 random bits.
package func tokenIdentifier() throws(JOSEError) -> String {
  do {
    return Base64URL.encode(try Random.bytes(16))
  } catch {
    throw JOSEError(error)
  }
}
