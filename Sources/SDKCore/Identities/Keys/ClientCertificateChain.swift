import JOSE
import JSON
public import OAuth
package import OpenSSL
import POSIX
public import Pinning
public import Primitives

/// The certificate that a client shows in the TLS handshake, with those of its issuers.
///
/// Its key is stored beside it, and is not part of this type.
public struct ClientCertificateChain: Sendable, Hashable {
  /// The chain as PEM, the client's own certificate first.
  public let pem: String
  let certificates: [Certificate]
  package let leaf: Certificate

  /// Reads the certificates of a PEM text.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` when there is none.
  public init(pem: [UInt8]) throws(SDKError) {
    guard let certificates = try? Certificate.list(pem: pem) else {
      throw Self.unusable("it is not a certificate in PEM")
    }
    try self.init(certificates)
  }

  init(_ certificates: [Certificate]) throws(SDKError) {
    guard let leaf = certificates.first else {
      throw Self.unusable("the file contains no certificate")
    }
    self.certificates = certificates
    self.leaf = leaf
    pem = certificates.map(\.pem).joined()
  }

  /// Makes a self-signed certificate (RFC 8705 section 2.2).
  static func selfSigned(
    _ key: SigningKey, commonName: String?, at now: Timestamp
  ) throws(SDKError) -> ClientCertificateChain {
    try attempt("could not make a client certificate") {
      let certificate = try Certificate.selfSigned(
        by: try PrivateKey(pem: Array(key.pem.utf8)), commonName: commonName ?? "client",
        from: now - clockSkew, to: now + lifetime)
      return try ClientCertificateChain([certificate])
    }
  }

  /// The issuer (RFC 4514) of a certificate that is alone and not self-signed, safe to show; `nil` for
  /// any other chain.
  public var missingIssuer: String? {
    certificates.count == 1 && !leaf.isIssued(by: leaf) ? leaf.issuer : nil
  }

  /// The certificates of issuers that are not valid at that time: servers refuse a chain with them.
  public func invalidIssuers(at now: Timestamp) -> [CertificateDetails] {
    details.dropFirst().filter { now > $0.notAfter || now < $0.notBefore }
  }

  /// The subject (RFC 4514), safe to show.
  public var subject: String { leaf.subject }

  /// By what a token is bound to it: `x5t#S256` (RFC 8705 section 3.1).
  var thumbprint: String { Base64URL.encode(leaf.sha256) }

  /// Objects to a certificate that is not for that key, or not valid now.
  func requireUsable(with key: SigningKey, at now: Timestamp) throws(SDKError) {
    guard let half = key.publicKey.publicKey, (try? leaf.publicKey) == half else {
      throw Self.unusable("it is not for the client key")
    }
    if let invalidity = invalidity(at: now) { throw Self.unusable(invalidity) }
  }

  /// What a server registers of it (RFC 8705 section 2.1.2); `nil` if it has no name of that kind.
  public func metadata(_ name: CertificateMetadata.Name) -> CertificateMetadata? {
    let value: String? =
      switch name {
      case .subject: subject.isEmpty ? nil : subject
      case .dns: leaf.dnsNames.first
      case .uri: leaf.uris.first
      case .ip: leaf.ipAddresses.first
      case .email: leaf.emailAddresses.first
      }
    return value.map {
      CertificateMetadata(chain: certificates.map(\.der), name: name, value: $0)
    }
  }

  /// Why it cannot be shown at that time; `nil` if it can.
  func invalidity(at now: Timestamp) -> String? {
    if now > leaf.notAfter { return "it expired at \(leaf.notAfter)" }
    if now < leaf.notBefore { return "it is not valid before \(leaf.notBefore)" }
    return nil
  }

  private static func unusable(_ cause: String) -> SDKError {
    SDKError(.invalidRequest, "could not use the client certificate: \(cause)")
  }

  /// Three years: long for a secret, but a self-signed certificate can be replaced at any time.
  private static let lifetime: Int64 = 3 * 365 * 86_400
  /// How far behind a server's clock may be.
  private static let clockSkew: Int64 = 300
}

extension ClientCertificateChain {
  /// The contents of its certificates, the client's own first.
  public var details: [CertificateDetails] { certificates.map { CertificateDetails($0) } }

  /// The first second of its validity.
  public var notBefore: Timestamp { leaf.notBefore }

  /// The last second of its validity.
  public var notAfter: Timestamp { leaf.notAfter }

  /// Whether that instant is in its validity.
  public func isValid(at now: Timestamp) -> Bool { invalidity(at: now) == nil }

  /// Whether a server with these authorities accepts it.
  ///
  /// Each authority is a DER `Name`; a server that names none accepts all.
  public func isAccepted(by issuers: [[UInt8]]) -> Bool {
    certificates.isAccepted(by: issuers)
  }
}

extension CertificateDetails {
  /// The fingerprint as tokens name it: `x5t#S256` (RFC 8705 section 3.1).
  public var thumbprint: String { Base64URL.encode(fingerprint) }
}
