internal import JSON
internal import OpenSSL
internal import Primitives

extension JWK.Material {
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

  /// The public key; `nil` for a shared secret.
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

/// A shared secret, redacted in messages.
struct SymmetricKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  var description: String { "‹redacted›" }
  var customMirror: Mirror { Mirror(self, children: [:]) }
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
