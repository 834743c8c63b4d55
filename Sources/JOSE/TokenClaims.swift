public import JSON
package import OpenSSL
public import Primitives

/// The claims of a token (RFC 7519 section 4.1), read but not verified.
public struct TokenClaims: Sendable, Hashable {
  /// All of them, an object.
  public let json: JSON
  /// Who issued the token (`iss`).
  public let issuer: String?
  /// Whom it is about (`sub`).
  public let subject: String?
  /// Its audience (`aud`); empty if it has none.
  public let audience: [String]
  /// Its expiration time (`exp`).
  public let expiration: Timestamp?
  /// The time from which it is valid (`nbf`).
  public let notBefore: Timestamp?
  /// When it was issued (`iat`).
  public let issuedAt: Timestamp?

  /// Reads claims.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed` if they are not an object, or if one of them has
  ///   the wrong type.
  public init(_ json: JSON) throws(JOSEError) {
    guard json.object != nil else {
      throw JOSEError(.malformed, "the payload is \(json.kind), not an object")
    }
    self.json = json
    issuer = try textClaim("iss", of: json)
    subject = try textClaim("sub", of: json)
    audience = try audienceClaim("aud", of: json)
    expiration = try timeClaim("exp", of: json)
    notBefore = try timeClaim("nbf", of: json)
    issuedAt = try timeClaim("iat", of: json)
  }

  /// The text of a claim; `nil` if it is absent or not a string.
  public func string(_ name: String) -> String? { json[name]?.string }

  /// The values of the scope: `scope` as text (RFC 9068), or a list as in `scp`.
  public var scope: [String] {
    for name in ["scope", "scp"] {
      if let text = string(name) { return text.words }
      if let list = json[name]?.strings { return list }
    }
    return []
  }

  /// The time of a claim such as `auth_time`, rounded down.
  func time(of name: String) throws(JOSEError) -> Timestamp? { try timeClaim(name, of: json) }
}

private func textClaim(_ name: String, of claims: JSON) throws(JOSEError) -> String? {
  try text(claims[name], "the claim '\(name)'")
}

private func audienceClaim(_ name: String, of claims: JSON) throws(JOSEError) -> [String] {
  guard let value = claims[name] else { return [] }
  guard let names = value.string.map({ [$0] }) ?? value.strings else {
    throw JOSEError(
      .malformed, "the claim '\(name)' is neither a string nor an array of strings")
  }
  return names
}

/// A NumericDate between 1970 and the end of the year 9999, rounded down (RFC 7519 section 2).
private func timeClaim(_ name: String, of claims: JSON) throws(JOSEError) -> Timestamp? {
  guard let value = claims[name] else { return nil }
  guard let seconds = value.double, seconds >= 0, seconds < 253_402_300_800 else {
    throw JOSEError(.malformed, "the claim '\(name)' is not a time in seconds since 1970")
  }
  return Timestamp(Int64(seconds))
}

/// The content of a token, found without trusting it.
public struct TokenContent: Sendable {
  /// The headers of the tokens around it, from the outside: of encrypted tokens, and of signed ones
  /// that contain a token.
  public private(set) var outer: [JSON] = []
  /// The header of the innermost token.
  public private(set) var header: JSON = .null
  /// The claims, or another payload as text; `nil` if it is encrypted.
  public private(set) var payload: JSON?
  /// The signed token; `nil` if the payload is only encrypted.
  public private(set) var jws: JWS?
  /// The token with its disclosures; `nil` if it is not an SD-JWT (RFC 9901).
  public private(set) var selective: SDJWT?

  /// Reads a token, and the tokens in it.
  ///
  /// - Parameters:
  ///   - text: a JWS or a JWE in compact form.
  ///   - keys: what decrypts; without keys, only the header of an encrypted token is read.
  /// - Throws: ``JOSEError`` with the code `malformed`, also if more than four tokens are nested, or as
  ///   ``JWE/decrypt(withAnyOf:)`` does.
  public init(_ text: String, decryptingWith keys: KeyFile?) throws(JOSEError) {
    var text = text
    if SDJWT.hasForm(text) {
      let token = try SDJWT(text)
      (header, jws, selective) = (token.issued.header, token.issued, token)
      payload = try token.payload()
      return
    }
    // JWT does not need a token in a token in a token.
    for _ in 0..<Self.maximumDepth {
      let content: [UInt8]
      if JWE.isEncrypted(text) {
        let jwe = try JWE(compact: text)
        header = jwe.header
        guard let keys else { return }
        content = try jwe.decrypt(withAnyOf: keys)
        jws = nil
      } else {
        let signed = try JWS(compact: text)
        header = signed.header
        content = signed.payload
        jws = signed
      }
      guard let inner = JWT.token(in: content) else {
        payload = try Self.payload(content)
        return
      }
      outer.append(header)
      text = inner
    }
    throw JOSEError(.malformed, "more than \(Self.maximumDepth) tokens are nested")
  }

  static let maximumDepth = 4

  /// The claims; other text, or bytes as base64url, if it does not look like claims.
  private static func payload(_ content: [UInt8]) throws(JOSEError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: content)
    } catch {
      let start = content.first { $0 > 0x20 }
      guard start != UInt8(ascii: "{"), start != UInt8(ascii: "[") else {
        throw JOSEError(.malformed, "the payload is not JSON: \(error)")
      }
    }
    if let text = String(validating: content, as: UTF8.self) { return .string(text) }
    return .string(Base64URL.encode(content))
  }
}

/// A key that somebody has given to sign tokens with: a private key, or a secret that both sides have.
package struct TokenSigner: Sendable, Redacted {
  private enum Material: Sendable {
    case privateKey(PrivateKey)
    case secret([UInt8])
  }

  package let algorithm: JWSAlgorithm
  /// The key ID: that of the key, or the thumbprint of a key pair without one.
  package let kid: String?
  private let material: Material

  /// Takes a key of a file; without an algorithm, that of its `alg`, or the usual one of its kind.
  package init(_ entry: KeyFile.Entry, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    if case .secret = entry.jwk.material {
      try self.init(secret: entry.jwk, algorithm: algorithm)
      return
    }
    guard let key = entry.privateKey?.key else {
      throw JOSEError(.keyUnsuitable, "it is a public key, without its private half")
    }
    let algorithm = try Self.algorithm(algorithm, of: entry.jwk, key.kind)
    if let incompatibility = entry.jwk.incompatibility(with: algorithm, for: "sign") {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.init(algorithm, kid: entry.jwk.kid ?? entry.jwk.thumbprint, .privateKey(key))
  }

  /// Takes a secret; without an algorithm, that of its `alg`, or HS256.
  package init(secret jwk: JWK, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    guard case .secret(let secret) = jwk.material else {
      throw JOSEError(.keyUnsuitable, "it is not a secret")
    }
    let algorithm = algorithm ?? jwk.alg.flatMap { JWSAlgorithm(identifier: $0) } ?? .hs256
    if let incompatibility = jwk.incompatibility(with: algorithm, for: "sign") {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.init(algorithm, kid: jwk.kid, .secret(secret.bytes))
  }

  /// Takes a key in a security token; without an algorithm, the usual one of its kind.
  package init(securityToken key: PrivateKey, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    let jwk = try JWK(try joseError { () throws(CryptoError) in try key.publicKey })
    let algorithm = try Self.algorithm(algorithm, of: jwk, key.kind)
    if let incompatibility = algorithm.incompatibility(with: key.kind) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.init(algorithm, kid: jwk.thumbprint, .privateKey(key))
  }

  private init(_ algorithm: JWSAlgorithm, kid: String?, _ material: Material) {
    self.algorithm = algorithm
    self.kid = kid
    self.material = material
  }

  private static func algorithm(
    _ chosen: JWSAlgorithm?, of jwk: JWK, _ kind: KeyKind
  ) throws(JOSEError) -> JWSAlgorithm {
    if let chosen { return chosen }
    if let named = jwk.alg.flatMap({ JWSAlgorithm(identifier: $0) }) { return named }
    return try .usual(for: kind)
  }

  /// Another key of the same kind, under the same key ID.
  package func replacingKey() throws(JOSEError) -> TokenSigner {
    do {
      switch material {
      case .privateKey(let key):
        return Self(algorithm, kid: kid, .privateKey(try .generate(key.kind)))
      case .secret(let secret):
        return Self(algorithm, kid: kid, .secret(try Random.bytes(secret.count)))
      }
    } catch {
      throw JOSEError(error)
    }
  }

  /// Signs with the public key, in PEM, as a shared secret: what a server accepts that confuses the two.
  package func confused() throws(JOSEError) -> TokenSigner {
    guard case .privateKey(let key) = material else {
      throw JOSEError(.keyUnsuitable, "a shared secret has no public key")
    }
    let pem = try JWK(try joseError { () throws(CryptoError) in try key.publicKey }).pem ?? ""
    return Self(.hs256, kid: kid, .secret(Array(pem.utf8)))
  }

  /// Signs, and writes the compact form; only `alg` is added to the header.
  package func sign(header: JSONObject, payload: [UInt8]) throws(JOSEError) -> String {
    switch material {
    case .privateKey(let key):
      try JWS.sign(header: header, payload: payload, key: key, algorithm: algorithm)
    case .secret(let secret):
      try JWS.sign(header: header, payload: payload, secret: secret, algorithm: algorithm)
    }
  }
}
