package import OpenSSL
import POSIX
public import Primitives

/// The private key and the certificates of files: PKCS #12, PEM, DER or PKCS #7.
public struct IdentityMaterial: Sendable {
  private var keys: [NamedKey]
  package var certificates: [Certificate]
  /// Which key is used if there are several: its name (the alias of PKCS #12), or its number in
  /// the file, from 1; `nil` for the only one with a certificate.
  public var keyAlias: String?

  package init(key: PrivateKey?, certificates: [Certificate]) {
    keys = key.map { [NamedKey($0)] } ?? []
    self.certificates = certificates
  }

  /// Reads a file, on a thread of its own: a password may need much computation.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - password: of a PKCS #12 file or an encrypted key; `nil` is tried as none and as empty.
  ///   - allowsLegacy: whether PKCS #12 and encrypted keys may use RC2, RC4 and DES.
  ///   - time: how long it may take; `nil` for no bound.
  /// - Returns: what the file has: its private keys and certificates.
  /// - Throws: ``SDKError/Code/wrongPassword`` if a password is missing or wrong,
  ///   ``SDKError/Code/legacyAlgorithm`` if old algorithms must be allowed, and
  ///   ``SDKError/Code/invalidRequest`` for a file that is none of these, or too costly.
  public static func read(
    _ bytes: [UInt8], password: String? = nil, allowsLegacy: Bool = false,
    atMost time: Duration? = nil
  ) async throws(SDKError) -> IdentityMaterial {
    try await onBackgroundThread(atMost: time) { () throws(SDKError) in
      try IdentityMaterial(reading: bytes, password: password, allowsLegacy: allowsLegacy)
    }
  }

  init(
    reading bytes: [UInt8], password: String? = nil, allowsLegacy: Bool = false
  ) throws(SDKError) {
    let items = try attempt(as: .invalidRequest) {
      try KeyMaterial.items(in: bytes, password: password, allowsLegacy: allowsLegacy)
    }
    keys = []
    for item in items {
      guard let key = item.privateKey,
        !keys.contains(where: { (try? $0.key.publicKey.spki) == item.spki })
      else { continue }
      keys.append(NamedKey(key, name: item.name))
    }
    certificates = items.compactMap(\.certificate)
    guard hasKey || !certificates.isEmpty else {
      throw SDKError(.invalidRequest, cause: "there is no certificate and no private key")
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
    guard !hasKey || !other.hasKey else {
      throw SDKError(.invalidRequest, cause: "there are two private keys")
    }
    var material = self
    material.keys += other.keys
    material.certificates += other.certificates
    return material
  }

  /// Whether there is a private key.
  public var hasKey: Bool { !keys.isEmpty }

  /// The private key, or the one of several that ``keyAlias`` names; `nil` if there is none.
  package var key: PrivateKey? {
    get throws(SDKError) {
      if let keyAlias {
        let named = keys.filter { $0.name == keyAlias }
        if named.count == 1 { return named[0].key }
        let number = Int(keyAlias).map { $0 - 1 }
        if named.isEmpty, let number, keys.indices.contains(number) { return keys[number].key }
        throw SDKError(
          .invalidRequest,
          cause: "\(named.isEmpty ? "no" : "more than one") private key has the alias "
            + "'\(keyAlias)'; there are \(choices)", remedy: .nameKey)
      }
      guard keys.count > 1 else { return keys.first?.key }
      let certified = keys.filter { certificate(for: $0.key) != nil }
      guard certified.count == 1 else {
        throw SDKError(
          .invalidRequest, cause: "there are \(keys.count) private keys: \(choices)",
          remedy: .nameKey)
      }
      return certified[0].key
    }
  }

  private var choices: String {
    guard hasKey else { return "no keys" }
    return keys.enumerated().map { index, named in
      let alias = named.name ?? String(index + 1)
      return certificate(for: named.key).map { "\(alias) (\($0.subject))" } ?? alias
    }.joined(separator: ", ")
  }

  private func certificate(for key: PrivateKey) -> Certificate? {
    guard let spki = try? key.publicKey.spki else { return nil }
    return certificates.first { $0.spki == spki }
  }

  /// The identity that an ``IdentityObtaining`` returns for a request.
  ///
  /// - Returns: the identity, with its key as PEM.
  /// - Throws: ``SDKError/Code/invalidRequest`` if there is no private key, or no certificate for it.
  public func identity(
    for request: IdentityRequest, obtainedBy service: String, at time: Timestamp? = nil
  ) throws(SDKError) -> Identity {
    guard let key = try key, let publicKey = try? key.publicKey else {
      throw SDKError(.invalidRequest, cause: "there is no private key")
    }
    return Identity(
      name: request.name, hosts: request.hosts, chain: try chain(for: publicKey),
      key: .pem(key.pem), origin: .obtained(by: service), obtainedAt: time ?? SystemClock.now())
  }

  /// The chain of the key's certificate, in order, completed by certificates of authorities.
  package func chain(
    completedBy authorities: [Certificate] = [], for key: PublicKey
  ) throws(SDKError) -> ClientCertificateChain {
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

  /// More than any file or message for one identity needs.
  package static let maximumCount = 256
  /// Servers do not accept longer chains.
  private static let maximumLength = 10
}

extension ClientCertificateChain {
  /// Refuses a private key that is not the certificate's.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if it belongs to another certificate, or is
  ///   missing.
  func requireKey(_ material: IdentityMaterial) throws(SDKError) {
    guard let key = try material.key, (try? leaf.publicKey) == (try? key.publicKey) else {
      throw SDKError(.invalidRequest, cause: "the certificate is not for the private key")
    }
  }
}
