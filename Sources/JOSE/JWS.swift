public import JSON
package import OpenSSL
public import Primitives

/// A signed message in compact form (RFC 7515 section 7.1), parsed but not verified.
public struct JWS: Sendable, Hashable {
  /// The maximum size of a token in bytes.
  public static let maximumByteCount = 1 << 20

  /// The error for a longer one.
  public static let tooLong = JOSEError(
    .tooLarge, "the token has more than \(maximumByteCount) bytes")

  /// The protected header, an object.
  public let header: JSON
  /// The algorithm that the header names; `nil` when it is unknown here.
  public let algorithm: JWSAlgorithm?
  /// The key ID.
  public let keyID: String?
  /// The type (`typ`) as it was written.
  public let type: String?
  /// What was signed.
  public let payload: [UInt8]
  /// The signature or MAC.
  public let signature: [UInt8]

  /// The whole text, whose beginning was signed.
  let compact: [UInt8]
  let signedByteCount: Int

  /// Parses a token.
  ///
  /// - Parameter compact: three parts of strict base64url, the first an object of
  ///   distinct members without an unknown critical extension.
  /// - Throws: ``JOSEError`` with the code `tooLarge`, `malformed` or `criticalUnknown`.
  public init(compact: String) throws(JOSEError) {
    guard compact.utf8.count <= Self.maximumByteCount else {
      throw Self.tooLong
    }
    let bytes = Array(compact.utf8)
    let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
    guard dots.count == 2 else {
      throw JOSEError(
        .malformed,
        dots.count == 4
          ? "the token is encrypted, not signed"
          : "the token does not have the three parts of a JWS")
    }
    let header = try Self.header(try tokenPart("header", bytes[..<dots[0]]))
    payload = try tokenPart("payload", bytes[(dots[0] + 1)..<dots[1]])
    signature = try tokenPart("signature", bytes[(dots[1] + 1)...])
    algorithm = JWSAlgorithm(identifier: try headerText("alg", of: header) ?? "")
    keyID = try headerText("kid", of: header)
    type = try headerText("typ", of: header)
    self.header = header
    self.compact = bytes
    signedByteCount = dots[1]
  }

  private static func header(_ bytes: [UInt8]) throws(JOSEError) -> JSON {
    let header = try protectedHeader(bytes)
    guard header["b64"].map({ $0 == true }) ?? true else {
      throw JOSEError(.criticalUnknown, "the extension 'b64' is unknown")
    }
    return header
  }

  /// Signs with a private key and writes the compact form.
  ///
  /// The header gets its `alg` from the algorithm.
  package static func sign(
    header: JSONObject, payload: [UInt8], key: PrivateKey, algorithm: JWSAlgorithm
  ) throws(JOSEError) -> String {
    if let incompatibility = algorithm.incompatibility(with: key.kind) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    guard let how = algorithm.signature else {
      throw JOSEError(.keyUnsuitable, "\(algorithm.rawValue) needs a shared secret")
    }
    let message = signingInput(header, payload, algorithm)
    let signature = try joseError { () throws(CryptoError) in
      try key.sign(Array(message.utf8), how)
    }
    guard let curve = algorithm.curve else { return "\(message).\(Base64URL.encode(signature))" }
    guard let raw = ECDSASignature.raw(der: signature, curve: curve) else {
      throw JOSEError(.cryptoFailure, "could not convert the signature")
    }
    return "\(message).\(Base64URL.encode(raw))"
  }

  /// Authenticates with a shared secret and writes the compact form.
  package static func sign(
    header: JSONObject, payload: [UInt8], secret: [UInt8], algorithm: JWSAlgorithm
  ) throws(JOSEError) -> String {
    if let incompatibility = algorithm.incompatibility(withSecretOf: secret.count) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    let message = signingInput(header, payload, algorithm)
    let code = try joseError { () throws(CryptoError) in
      try HMAC.authenticate(Array(message.utf8), key: secret, with: algorithm.digest)
    }
    return "\(message).\(Base64URL.encode(code))"
  }

  private static func signingInput(
    _ header: JSONObject, _ payload: [UInt8], _ algorithm: JWSAlgorithm
  ) -> String {
    var header = header
    header["alg"] = .string(algorithm.rawValue)
    let text = JSON.object(header).serialized()
    return "\(Base64URL.encode(Array(text.utf8))).\(Base64URL.encode(payload))"
  }

  /// Verifies the signature.
  ///
  /// - Parameters:
  ///   - key: a key that must fit the algorithm in type, curve, size, `alg`, `use` and `key_ops`.
  ///   - allowed: the algorithms that may have been used, whatever the token says.
  /// - Throws: ``JOSEError`` with the code `algorithmNotAllowed`, `keyUnsuitable` or
  ///   `signatureInvalid`.
  public func verify(with key: JWK, allowed: Set<JWSAlgorithm>) throws(JOSEError) {
    let algorithm = try algorithm(from: allowed)
    if let incompatibility = key.incompatibility(with: algorithm) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    guard isSigned(by: key, algorithm) else {
      throw JOSEError(.signatureInvalid, "the signature is not valid")
    }
  }

  /// The algorithm of the token, when it is one of those allowed.
  func algorithm(from allowed: Set<JWSAlgorithm>) throws(JOSEError) -> JWSAlgorithm {
    guard let algorithm else {
      let name = header["alg"]?.string ?? ""
      let what = name == "none" ? "unsigned" : "signed with the unknown algorithm \(quoted(name))"
      throw JOSEError(.algorithmNotAllowed, "the token is \(what)")
    }
    guard allowed.contains(algorithm) else {
      throw JOSEError(
        .algorithmNotAllowed, "the token is signed with \(algorithm.rawValue), not allowed here")
    }
    return algorithm
  }

  /// Whether the key, which fits the algorithm, made the signature.
  func isSigned(by key: JWK, _ algorithm: JWSAlgorithm) -> Bool {
    compact.withUnsafeBytes { compact in
      let message = UnsafeRawBufferPointer(rebasing: compact[..<signedByteCount])
      switch key.material {
      case .secret(let secret):
        guard algorithm.isSymmetric,
          let code = try? HMAC.authenticate(
            Array(message), key: secret.bytes, with: algorithm.digest)
        else { return false }
        return ConstantTime.equal(code, signature)
      case .publicKey(let key):
        return isSigned(by: key, message, algorithm)
      }
    }
  }

  private func isSigned(
    by key: PublicKey, _ message: UnsafeRawBufferPointer, _ algorithm: JWSAlgorithm
  ) -> Bool {
    guard let how = algorithm.signature else { return false }
    guard let curve = algorithm.curve else {
      return signature.withUnsafeBytes { key.verify(signature: $0, message: message, how) }
    }
    guard let der = ECDSASignature.der(raw: signature, curve: curve) else { return false }
    return der.withUnsafeBytes { key.verify(signature: $0, message: message, how) }
  }
}

/// Reads JSON; the noun names it in the error.
func parsed(_ noun: String, _ bytes: [UInt8]) throws(JOSEError) -> JSON {
  do {
    return try JSON(parsing: bytes)
  } catch {
    throw JOSEError(.malformed, "\(noun) is not JSON: \(error)")
  }
}

/// The text of a member, which the noun names in the error; `nil` when it is absent.
func text(_ value: JSON?, _ noun: @autoclosure () -> String) throws(JOSEError) -> String? {
  guard let value else { return nil }
  guard let text = value.string else {
    throw JOSEError(.malformed, "\(noun()) is \(value.kind), not a string")
  }
  return text
}

/// The protected header of a compact token: an object without an unknown critical extension.
func protectedHeader(_ bytes: [UInt8]) throws(JOSEError) -> JSON {
  let header = try parsed("the header", bytes)
  guard header["alg"] != nil else { throw JOSEError(.malformed, "the header has no 'alg'") }
  if let critical = header["crit"] {
    // No extension is known here, so every well-formed list names an unknown one.
    guard let name = critical.strings?.first else {
      throw JOSEError(.malformed, "the header member 'crit' is not a list of names")
    }
    throw JOSEError(.criticalUnknown, "the critical extension \(quoted(name)) is unknown")
  }
  return header
}

func tokenPart(_ name: String, _ text: ArraySlice<UInt8>) throws(JOSEError) -> [UInt8] {
  guard let bytes = Base64.decode(text, alphabet: .url) else {
    throw JOSEError(.malformed, "the \(name) of the token is not base64url")
  }
  return bytes
}

/// The text of a header member; `nil` when it is absent.
func headerText(_ name: String, of header: JSON) throws(JOSEError) -> String? {
  try text(header[name], "the header member '\(name)'")
}

/// A signed JSON Web Token (RFC 7519), parsed but not verified.
///
/// Not to be trusted before a ``TokenVerifier`` has found it valid.
public struct JWT: Sendable, Hashable {
  /// The token as a signed message.
  public let jws: JWS
  /// Its claims by their types.
  public let body: TokenClaims

  /// Parses a token in compact form.
  ///
  /// - Throws: ``JOSEError`` as ``JWS/init(compact:)`` does, and with the code
  ///   `malformed` if the claims are not an object or one of them has the wrong type.
  public init(_ compact: String) throws(JOSEError) {
    try self.init(JWS(compact: compact))
  }

  /// Reads the claims of a signed message.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed`, or `nested` for a token in the token.
  public init(_ jws: JWS) throws(JOSEError) {
    guard Self.token(in: jws.payload) == nil else {
      throw JOSEError(
        .nested, "the payload is another token, not claims (a JWT in a JWS, RFC 7519 section 5.2)")
    }
    self.jws = jws
    body = try TokenClaims(try parsed("the payload", jws.payload))
  }

  /// The token in compact form that the content of a token is; `nil` if it is something else.
  static func token(in content: [UInt8]) -> String? {
    let isToken = content.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte.isLetter || byte.isDigit
    }
    guard isToken, [2, 4].contains(content.count { $0 == UInt8(ascii: ".") }) else { return nil }
    return String(decoding: content, as: UTF8.self)
  }

  /// The claims, an object.
  public var claims: JSON { body.json }

  /// Who issued it (`iss`).
  public var issuer: String? { body.issuer }

  /// Whom it is about (`sub`).
  public var subject: String? { body.subject }

  /// Its audience (`aud`); empty if it has none.
  public var audience: [String] { body.audience }

  /// Its expiration time (`exp`).
  public var expiration: Timestamp? { body.expiration }

  /// The text of a claim; `nil` if it is absent or not a string.
  public func string(_ name: String) -> String? { body.string(name) }
}
