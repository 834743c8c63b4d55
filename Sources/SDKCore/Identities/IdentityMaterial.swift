import JOSE
package import OpenSSL

/// The private key and the certificates of files: PKCS #12, PEM, DER or PKCS #7.
public struct IdentityMaterial: Sendable {
  package var key: PrivateKey?
  package var certificates: [Certificate]

  package init(key: PrivateKey?, certificates: [Certificate]) {
    self.key = key
    self.certificates = certificates
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - password: of a PKCS #12 file or an encrypted key; `nil` is tried as none and as empty.
  ///   - allowsLegacy: whether PKCS #12 may use RC2, RC4 and DES.
  /// - Throws: ``SDKError/Code/wrongPassword`` if a password is missing or wrong,
  ///   ``SDKError/Code/legacyAlgorithm`` if old algorithms must be allowed, and
  ///   ``SDKError/Code/invalidRequest`` for a file that is none of these.
  public init(
    reading bytes: [UInt8], password: String? = nil, allowsLegacy: Bool = false
  ) throws(SDKError) {
    do throws(CryptoError) {
      if PEM.isLikely(bytes) {
        try self.init(pem: bytes, password: password)
      } else {
        try self.init(der: bytes, password: password, allowsLegacy: allowsLegacy)
      }
    } catch {
      throw SDKError(error.kind.code, cause: error.reasons.joined(separator: ", "))
    }
    guard certificates.count <= Self.maximumCount else {
      throw SDKError(
        .invalidRequest, cause: "it has more than \(Self.maximumCount) certificates")
    }
  }

  /// The contents of both.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if both have a private key.
  public func joined(with other: IdentityMaterial) throws(SDKError) -> IdentityMaterial {
    guard key == nil || other.key == nil else {
      throw SDKError(.invalidRequest, cause: "there are two private keys")
    }
    return IdentityMaterial(
      key: key ?? other.key, certificates: certificates + other.certificates)
  }

  /// Whether there is a private key.
  public var hasKey: Bool { key != nil }

  /// The chain of the key's certificate, in order, completed by certificates of authorities.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if no certificate is for the key, or the chain is
  ///   too long.
  package func chain(
    completedBy authorities: [Certificate] = [], for key: PublicKey
  ) throws(SDKError) -> ClientCertificateChain {
    guard !certificates.isEmpty else {
      throw SDKError(.invalidRequest, cause: "there is no certificate")
    }
    guard let chain = CertificatePath.ordered(from: certificates, for: key) else {
      throw SDKError(.invalidRequest, cause: "no certificate is for the private key")
    }
    let completed = CertificatePath.ordered(from: chain[0], chain + authorities)
    guard completed.count <= Self.maximumLength else {
      throw SDKError(
        .invalidRequest, cause: "the chain has more than \(Self.maximumLength) certificates")
    }
    return try ClientCertificateChain(completed)
  }

  private init(pem: [UInt8], password: String?) throws(CryptoError) {
    let blocks = try PEM.blocks(pem)
    certificates = try Certificate.list(pem: pem)
    for block in blocks where Certificate.messageLabels.contains(block.label) {
      certificates += try Certificate.list(pkcs7: block.bytes)
    }
    key =
      blocks.contains { PrivateKey.labels.contains($0.label) }
      ? try PrivateKey(pem: pem, passphrase: password) : nil
    guard key != nil || !certificates.isEmpty else {
      throw CryptoError("read the file", reasons: ["there is no certificate and no private key"])
    }
  }

  private init(der: [UInt8], password: String?, allowsLegacy: Bool) throws(CryptoError) {
    if let certificate = try? Certificate(der: der) {
      self.init(key: nil, certificates: [certificate])
    } else if let certificates = try? Certificate.list(pkcs7: der) {
      self.init(key: nil, certificates: certificates)
    } else if let key = try? PrivateKey(der: der) {
      self.init(key: key, certificates: [])
    } else {
      do {
        let file = try PKCS12.read(der, password: password, allowsLegacy: allowsLegacy)
        self.init(key: file.key, certificates: [file.certificate] + file.others)
      } catch {
        guard error.kind == .malformed else { throw error }
        throw CryptoError(
          "read the file", reasons: ["it is neither PKCS #12, PKCS #7, PEM nor DER"],
          kind: .malformed)
      }
    }
  }

  /// More than any file for one identity needs.
  private static let maximumCount = 256
  /// Servers do not accept longer chains.
  private static let maximumLength = 10
}

extension CryptoError.Kind {
  /// The kind of error that callers see.
  fileprivate var code: SDKError.Code {
    switch self {
    case .encryptedKey, .wrongPassword: .wrongPassword
    case .legacyAlgorithm: .legacyAlgorithm
    case .malformed, .other: .invalidRequest
    }
  }
}
