import OpenSSL
public import Pinning
public import SDKCore

/// A public key that was found in a file.
public struct FoundKey: Sendable, Hashable {
  /// What the key was found in.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case certificate, request
    case publicKey = "public-key"
    case privateKey = "private-key"
  }

  /// What the key was found in.
  public let kind: Kind
  /// The pin of the key.
  public let pin: Pin
  /// The subject of a certificate or request; `public key` or `private key` otherwise.
  public let label: String
  /// The type and size of the key: `RSA 2048 bits`, `EC P-256`, `Ed25519`.
  public let keyType: String?
  /// The certificate, if the key is in one.
  public let certificate: CertificateDetails?
}

/// Finds public keys in files.
public enum PublicKeys {
  /// The key of each certificate, certificate request and key of a file, in order.
  ///
  /// Read on a thread of its own: a password may need much computation.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file: PEM, DER, PKCS #7 or PKCS #12.
  ///   - file: the name of the file, for errors.
  ///   - password: of encrypted keys or a PKCS #12 file; `nil` for none.
  ///   - allowsLegacy: whether PKCS #12 may use RC2, RC4 and DES.
  ///   - time: how long it may take; `nil` for no bound.
  /// - Returns: the keys; never none.
  /// - Throws: ``SDKError``: `wrongPassword` if a password is missing or wrong, `legacyAlgorithm`
  ///   if old algorithms must be allowed, `localData` if there is no key or a broken one.
  public static func found(
    in bytes: [UInt8], of file: String, password: String? = nil, allowsLegacy: Bool = false,
    atMost time: Duration? = nil
  ) async throws(SDKError) -> [FoundKey] {
    try await attempt("could not find a key in '\(file)'") {
      try await onBackgroundThread(atMost: time) { () throws(SDKError) in
        try attempt(as: .localData) {
          try KeyMaterial.items(in: bytes, password: password, allowsLegacy: allowsLegacy)
            .map { try FoundKey($0) }
        }
      }
    }
  }
}

extension FoundKey {
  fileprivate init(_ item: KeyMaterial.Item) throws(CryptoError) {
    kind =
      switch item.kind {
      case .certificate: .certificate
      case .request: .request
      case .publicKey: .publicKey
      case .privateKey: .privateKey
      }
    pin = try Pin(spki: item.spki)
    label = item.label
    keyType = (try? PublicKey(spki: item.spki))?.kind.description
    certificate = item.certificate.map(CertificateDetails.init)
  }
}
