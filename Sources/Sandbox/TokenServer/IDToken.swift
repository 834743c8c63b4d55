import JSON

/// The ID token of an answer (OpenID Connect Core section 2), good or as a fault wants it.
struct IDToken {
  let exchange: Exchange
  let client: Client
  let grantID: String
  let grant: Grant
  let accessToken: String
  let scopes: [String]

  static let lifetime = 3600

  func text() throws -> String {
    let fault =
      exchange.sandbox.change { $0.grants.takeFault(ofGrant: grantID) }
      ?? exchange.takeFault(.idToken)
    let key = exchange.sandbox.change { $0.keys.current[client.idTokenAlgorithm] }
    guard let key else { throw OAuthError("server_error", "there is no key", status: 500) }
    var claims = claims()
    switch fault {
    case .wrongIssuer: claims["iss"] = "https://elsewhere.example"
    case .wrongAudience: claims["aud"] = "another-client"
    case .wrongNonce: claims["nonce"] = .string(Secret.make())
    case .wrongTokenHash: claims["at_hash"] = .string(Self.hash(Secret.make()))
    case .expired: shift(&claims, by: -Self.lifetime - 3600)
    case .clockSkew:
      shift(&claims, by: 3600)
      claims["nbf"] = claims["iat"]
    case .futureIssue: claims["iat"] = .int(exchange.now + 3600)
    case .unsigned: return JWT.unsigned(claims)
    default: break
    }
    let keyID = fault == .unknownKeyID ? Secret.name("unknown-") : nil
    let token = try JWT.make(claims, type: "JWT", key: key, keyID: keyID)
    if fault == .keysDropped { try exchange.sandbox.change { try $0.keys.replace() } }
    return fault == .badSignature ? Self.spoilSignature(of: token) : token
  }

  private func claims() -> JSONObject {
    var claims: JSONObject = [
      "iss": .string(exchange.sandbox.issuer), "aud": .string(client.id),
      "azp": .string(client.id), "iat": .int(exchange.now),
      "exp": .int(exchange.now + Self.lifetime), "at_hash": .string(Self.hash(accessToken)),
    ]
    claims["sub"] = grant.subject.map(JSON.string)
    claims["nonce"] = grant.nonce.map(JSON.string)
    claims["auth_time"] = grant.authenticatedAt.map(JSON.int)
    claims["acr"] = grant.acr.map(JSON.string)
    claims["sid"] = grant.sessionID.map(JSON.string)
    if !grant.amr.isEmpty { claims["amr"] = .strings(grant.amr) }
    if let user = exchange.sandbox.change({ $0.users.subject(grant.subject ?? "") }) {
      claims.merge(user.claims(for: scopes)) { own, _ in own }
    }
    return claims
  }

  private func shift(_ claims: inout JSONObject, by seconds: Int) {
    for name in ["iat", "exp", "auth_time"] {
      claims[name] = claims[name]?.integer.map { JSON.int($0 + seconds) }
    }
  }

  /// The left half of the SHA-256 (OpenID Connect Core section 3.1.3.6).
  private static func hash(_ text: String) -> String {
    Base64URL.encode(Secret.sha256(text).prefix(16))
  }

  private static func spoilSignature(of token: String) -> String {
    let parts = token.split(separator: ".")
    guard var signature = Base64URL.decode(String(parts[2])) else { return token }
    signature[signature.count / 2] ^= 1
    return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
  }
}

extension Users.User {
  /// What the scopes tell a client about a person (OpenID Connect Core section 5.4).
  func claims(for scopes: [String]) -> JSONObject {
    var claims: JSONObject = [:]
    if scopes.contains("profile") {
      claims["name"] = .string(fullName)
      claims["preferred_username"] = .string(name)
    }
    if scopes.contains("email") {
      claims["email"] = .string(email)
      claims["email_verified"] = true
    }
    return claims
  }
}
