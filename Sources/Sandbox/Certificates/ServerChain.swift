import Primitives

/// A server's certificates from leaf to root, and the leaf's key, all as PEM.
struct ServerChain: Sendable {
  let leafPEM: String
  let intermediatePEM: String
  let rootPEM: String
  let keyPEM: String

  /// What the server sends in a handshake: all but the root.
  var servedPEM: String { leafPEM + intermediatePEM }

  /// The leaf, DER.
  func leaf() throws -> [UInt8] { try Certificate(pem: leafPEM).der }

  /// The pins of leaf and intermediate: `sha256/` and the base64 SHA-256 of the
  /// SubjectPublicKeyInfo (RFC 7469).
  func pins() throws -> [String] {
    try [leafPEM, intermediatePEM].map { pem in
      "sha256/" + Base64.encode(SHA256.hash(try Certificate(pem: pem).publicKey.der()))
    }
  }

  /// Whether a chain kept from an earlier start serves for at least another day.
  func isFresh(at now: Int) -> Bool {
    guard let leaf = try? Certificate(pem: leafPEM) else { return false }
    return leaf.notValidAfter > now + 24 * 3600 && (try? ServedChain(self)) != nil
  }
}
