internal import JSON
internal import OpenSSL
internal import Primitives

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
