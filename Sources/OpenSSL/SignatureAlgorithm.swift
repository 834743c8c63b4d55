/// How a message is signed.
package enum SignatureAlgorithm: Sendable, Hashable {
  /// RSASSA-PKCS1-v1_5.
  case rsaPKCS1(DigestAlgorithm)
  /// RSASSA-PSS, MGF1 with the same hash, a salt as long as the digest.
  case rsaPSS(DigestAlgorithm)
  /// ECDSA; signatures are DER, see ``ECDSASignature`` for the other form.
  case ecdsa(DigestAlgorithm)
  /// Ed25519 or Ed448, as the key says.
  case eddsa

  var digest: DigestAlgorithm? {
    switch self {
    case .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(let digest): digest
    case .eddsa: nil
    }
  }

  /// Whether keys of that kind can make or check such signatures.
  package func fits(_ kind: KeyKind) -> Bool {
    switch (self, kind) {
    case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ecdsa, .ec), (.eddsa, .ed25519), (.eddsa, .ed448):
      true
    default: false
    }
  }
}
