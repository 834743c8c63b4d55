package import OpenSSL

/// The types of private keys that are made here.
public enum PrivateKeyType: String, Sendable, Hashable, CaseIterable {
  case p256, p384, p521, rsa2048, rsa3072, rsa4096, ed25519

  package var kind: KeyKind {
    switch self {
    case .p256: .ec(.p256)
    case .p384: .ec(.p384)
    case .p521: .ec(.p521)
    case .rsa2048: .rsa(bits: 2048)
    case .rsa3072: .rsa(bits: 3072)
    case .rsa4096: .rsa(bits: 4096)
    case .ed25519: .ed25519
    }
  }
}
