public import JSON
package import OpenSSL
import Primitives

/// A JSON Web Key (RFC 7517) for verification.
///
/// The module reads, verifies and makes signed tokens. It fetches no key, follows
/// no URL of a header and never lets a token choose how it is verified.
public struct JWK: Sendable, Hashable {
  /// The members that may be shown to anyone.
  public let json: JSON
  /// The key ID.
  public let kid: String?
  /// What the key is for: `sig`, `enc`.
  public let use: String?
  /// The only algorithm the key is for, by its name.
  public let alg: String?
  /// The only operations the key is for.
  let keyOps: [String]?
  /// The only issuer whose tokens it is published for, as Microsoft names it.
  let issuer: String?

  let material: Material
  /// The thumbprint (RFC 7638) with SHA-256, as base64url.
  public let thumbprint: String
  /// Why its certificate shows that the key is not as published; `nil` if it does not.
  public let certificateMismatch: String?

  enum Material: Sendable, Hashable {
    case publicKey(PublicKey)
    case secret(SymmetricKey)
  }

  /// Reads a key.
  ///
  /// Private members are dropped, but for the secret of a symmetric key.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed` for members of the wrong type
  ///   and `keyUnsuitable` for an invalid key or an unknown type.
  public init(json: JSON) throws(JOSEError) {
    // A null member is one that is not there.
    guard let members = json.object?.filter({ $0.value != .null }) else {
      throw JOSEError(.malformed, "the key is not an object")
    }
    kid = try text("kid", of: members)
    use = try text("use", of: members)
    alg = try text("alg", of: members)
    keyOps = try operations(of: members)
    issuer = try text("issuer", of: members)
    let material = try Material(members)
    self.material = material
    thumbprint = try material.thumbprint()
    certificateMismatch = material.publicKey.flatMap {
      certificateIncompatibility(of: members, with: $0)
    }
    let described = members.filter { describingMembers.contains($0.key) }
    self.json = .object(described.merging(material.members) { $1 })
  }

  /// Describes a public key that is to be published.
  package init(
    _ publicKey: PublicKey, kid: String? = nil, algorithm: JWSAlgorithm? = nil,
    use: String? = "sig"
  ) throws(JOSEError) {
    guard publicKey.parameters != nil else {
      throw JOSEError(.keyUnsuitable, "a key of the type \(publicKey.kind) has no JWK form")
    }
    material = .publicKey(publicKey)
    thumbprint = try material.thumbprint()
    certificateMismatch = nil
    self.kid = kid
    self.use = use
    alg = algorithm?.rawValue
    keyOps = nil
    issuer = nil
    let described = JSON.members([
      "kid": kid.map { .string($0) }, "use": use.map { .string($0) },
      "alg": alg.map { .string($0) },
    ])
    json = .object((described.object ?? [:]).merging(material.members) { $1 })
  }

  /// Takes a secret that both sides hold.
  public init(secret: [UInt8]) throws(JOSEError) {
    try self.init(json: ["kty": "oct", "k": .string(Base64URL.encode(secret))])
  }

  /// The key type: `RSA`, `EC`, `OKP` or `oct`.
  public var kty: String { material.members["kty"]?.string ?? "" }

  /// The public key; `nil` for a shared secret.
  package var publicKey: PublicKey? { material.publicKey }

  /// The public key as PEM; `nil` for a shared secret.
  public var pem: String? { publicKey?.pem }

  /// The members of the public key, without those that describe it.
  var keyAlone: JSON { .object(material.members) }

  /// Why the key cannot be used to verify with the algorithm; `nil` if it can.
  public func incompatibility(with algorithm: JWSAlgorithm) -> String? {
    incompatibility(with: algorithm, for: "verify")
  }

  /// Why the key cannot be used for `operation` (a value of `key_ops`) with the algorithm.
  func incompatibility(with algorithm: JWSAlgorithm, for operation: String) -> String? {
    if let alg, !algorithm.isNamed(alg, by: publicKey?.kind) {
      return "the key is for \(quoted(alg)), not for \(algorithm.rawValue)"
    }
    if let use, use != "sig" { return "the key is for the use \(quoted(use)), not for signatures" }
    if let keyOps, !keyOps.contains(operation) {
      return "the key is not for \(operation == "verify" ? "verifying" : "signing")"
    }
    return switch material {
    case .publicKey(let key): algorithm.incompatibility(with: key.kind) ?? certificateMismatch
    case .secret(let secret): algorithm.incompatibility(withSecretOf: secret.bytes.count)
    }
  }

  /// Why nobody can use the key for what its `alg` and its `use` say; `nil` if it can be used.
  public var contradiction: String? {
    guard let kind = publicKey?.kind else { return nil }
    guard let alg else {
      let signs = JWSAlgorithm.allCases.contains { $0.incompatibility(with: kind) == nil }
      let decrypts = JWEAlgorithm.allCases.contains { $0.incompatibility(with: kind) == nil }
      guard use == "sig" && !signs || use == "enc" && !decrypts else { return nil }
      return "no algorithm for the use \(quoted(use ?? "")) works with the key (\(kind))"
    }
    if let algorithm = JWSAlgorithm(identifier: alg) {
      if use == "enc" { return "\(alg) signs, but the use is 'enc'" }
      return algorithm.incompatibility(with: kind)
    }
    if let algorithm = JWEAlgorithm(identifier: alg) {
      if use == "sig" { return "\(alg) encrypts, but the use is 'sig'" }
      return algorithm.incompatibility(with: kind)
    }
    return "the algorithm \(quoted(alg)) is not supported"
  }
}

extension JWK {
  /// Whether a text has the form of a thumbprint with SHA-256.
  package static func isThumbprint(_ text: String) -> Bool {
    Base64.decode(Array(text.utf8), alphabet: .url)?.count == 32
  }
}

extension JWK.Material {
  fileprivate func thumbprint() throws(JOSEError) -> String {
    var members = members
    if case .secret(let secret) = self {
      members["k"] = .string(Base64URL.encode(secret.bytes))
    }
    let text = JSON.object(members).serialized()
    return Base64URL.encode(try joseError { () throws(CryptoError) in try Digest.sha256(text) })
  }

  /// Reads the members that are the key itself (RFC 7518 section 6, RFC 8037 section 2).
  init(_ members: JSONObject) throws(JOSEError) {
    let kty = members["kty"]?.string
    // A pattern compares by canonical equivalence, which treats U+212A as K.
    switch kty.map({ $0.isASCII ? $0 : "" }) {
    case "RSA":
      let modulus = try bytes("n", of: members)
      self = try .init(.rsa(modulus: modulus, exponent: try bytes("e", of: members)))
    case "EC":
      guard let curve = EllipticCurve(identifier: try curveName(of: members)) else {
        throw JOSEError(.keyUnsuitable, "the curve of the key is unknown")
      }
      let x = try bytes("x", of: members)
      self = try .init(.ec(curve, x: x, y: try bytes("y", of: members)))
    case "OKP":
      guard let curve = OctetKeyCurve(identifier: try curveName(of: members)) else {
        throw JOSEError(.keyUnsuitable, "the curve of the key is unknown")
      }
      self = try .init(.okp(curve, x: try bytes("x", of: members)))
    case "oct":
      self = .secret(SymmetricKey(bytes: try bytes("k", of: members)))
    case .some:
      throw JOSEError(.keyUnsuitable, "the key type \(quoted(kty ?? "")) is unknown")
    case nil:
      throw JOSEError(.malformed, "the key has no member 'kty'")
    }
  }

  private init(_ parameters: PublicKeyParameters) throws(JOSEError) {
    do {
      self = .publicKey(try PublicKey(parameters))
    } catch {
      throw JOSEError(.keyUnsuitable, error.description)
    }
  }

  var publicKey: PublicKey? {
    if case .publicKey(let key) = self { key } else { nil }
  }

  /// The public members, normalised.
  var members: JSONObject {
    switch self {
    case .secret: ["kty": "oct"]
    case .publicKey(let key):
      switch key.parameters {
      case .rsa(let modulus, let exponent):
        ["kty": "RSA", "n": number(modulus), "e": number(exponent)]
      case .ec(let curve, let x, let y):
        ["kty": "EC", "crv": .string(curve.rawValue), "x": number(x), "y": number(y)]
      case .okp(let curve, let x):
        ["kty": "OKP", "crv": .string(curve.rawValue), "x": number(x)]
      case nil: [:]
      }
    }
  }
}

/// Public members that describe a key.
private let describingMembers: Set<String> = [
  "kid", "use", "alg", "key_ops", "issuer", "x5u", "x5c", "x5t", "x5t#S256",
]

private func text(_ name: String, of members: JSONObject) throws(JOSEError) -> String? {
  try text(members[name], "the member '\(name)' of the key")
}

private func operations(of members: JSONObject) throws(JOSEError) -> [String]? {
  guard let value = members["key_ops"] else { return nil }
  guard let operations = value.strings,
    Set(operations.map { Identifier($0) }).count == operations.count
  else {
    throw JOSEError(
      .malformed, "the member 'key_ops' of the key is not an array of distinct strings")
  }
  return operations
}

struct SymmetricKey: Sendable, Hashable, Redacted {
  let bytes: [UInt8]
}

private func curveName(of members: JSONObject) throws(JOSEError) -> String {
  guard let name = members["crv"]?.string else {
    throw JOSEError(.malformed, "the key has no member 'crv'")
  }
  return name
}

private func bytes(_ name: String, of members: JSONObject) throws(JOSEError) -> [UInt8] {
  guard let text = members[name]?.string else {
    throw JOSEError(.malformed, "the key has no member '\(name)'")
  }
  guard let bytes = try? Base64URL.decode(text) else {
    throw JOSEError(.malformed, "the member '\(name)' of the key is not base64url")
  }
  return bytes
}

private func number(_ bytes: [UInt8]) -> JSON { .string(Base64URL.encode(bytes)) }

/// Why the certificate of a key is not a certificate of that key; `nil` if it is, or without `x5c`.
///
/// The first certificate of `x5c` must have the key, and `x5t` and `x5t#S256` must be its hashes
/// (RFC 7517 sections 4.7 to 4.9). They are optional: an `x5c` that cannot be read says nothing of the key.
func certificateIncompatibility(of members: JSONObject, with key: PublicKey) -> String? {
  guard let text = members["x5c"]?.strings?.first, let der = Base64.decode(text.utf8),
    let certificate = try? Certificate(der: der)
  else { return nil }
  guard let other = try? PublicKey(spki: certificate.spki), other == key else {
    return "the first certificate of 'x5c' has another key"
  }
  for (name, algorithm) in [("x5t", DigestAlgorithm.sha1), ("x5t#S256", .sha256)] {
    guard let hash = members[name]?.string else { continue }
    guard let wanted = try? Digest.hash(der, with: algorithm) else {
      return "'\(name)' cannot be compared with the first certificate of 'x5c'"
    }
    // Some issuers encode the hexadecimal digits of the hash.
    let digits = Hex.encode(wanted)
    let spellings = [wanted, Array(digits.utf8), Array(digits.uppercased().utf8)]
    let isHash = spellings.contains { sameIdentifier(hash, Base64URL.encode($0)) }
    guard isHash else { return "'\(name)' is not the hash of the first certificate of 'x5c'" }
  }
  return nil
}
