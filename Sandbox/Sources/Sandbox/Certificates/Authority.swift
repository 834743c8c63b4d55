import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// The sandbox's own certificate authority: a root, an intermediate, and leaves for loopback.
struct Authority {
  /// Ninety days, as a public authority has it: a check of pins does not warn of its end from the start.
  static let lifetime: TimeInterval = 90 * 24 * 3600

  let root: Certificate
  let intermediate: Certificate
  let intermediateKey: P256.Signing.PrivateKey

  /// Makes root and intermediate with fresh keys; the root's key is not kept.
  init(name: String, now: Date) throws {
    let rootKey = P256.Signing.PrivateKey()
    let rootName = try Self.named("\(name) root")
    root = try Self.issue(
      subject: rootName, key: rootKey.publicKey, issuer: rootName, issuerKey: rootKey,
      validity: Self.validity(now: now),
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 1))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      })
    intermediateKey = P256.Signing.PrivateKey()
    intermediate = try Self.issue(
      subject: try Self.named("\(name) intermediate"), key: intermediateKey.publicKey,
      issuer: rootName, issuerKey: rootKey, validity: Self.validity(now: now),
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      })
  }

  /// An authority of an earlier start.
  init(rootPEM: String, intermediatePEM: String, keyPEM: String) throws {
    root = try Certificate(pemEncoded: rootPEM)
    intermediate = try Certificate(pemEncoded: intermediatePEM)
    intermediateKey = try P256.Signing.PrivateKey(pemRepresentation: keyPEM)
  }

  /// A server certificate for `localhost`, 127.0.0.1 and ::1, with its chain and key.
  func serverChain(now: Date) throws -> ServerChain {
    let key = P256.Signing.PrivateKey()
    let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
    let leaf = try Self.issue(
      subject: try Self.named("localhost"), key: key.publicKey, issuer: intermediate.subject,
      issuerKey: intermediateKey, validity: Self.validity(now: now),
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([
          .dnsName("localhost"),
          .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
          .ipAddress(ASN1OctetString(contentBytes: loopback6[...])),
        ])
      })
    return ServerChain(
      leafPEM: try leaf.serializeAsPEM().pemString,
      intermediatePEM: try intermediate.serializeAsPEM().pemString,
      rootPEM: try root.serializeAsPEM().pemString, keyPEM: key.pemRepresentation)
  }

  static func named(_ name: String) throws -> DistinguishedName {
    try DistinguishedName {
      OrganizationName("sdkctl sandbox")
      CommonName(name)
    }
  }

  /// Begins a day ago, for clients whose clock is slow.
  static func validity(now: Date) -> Range<Date> { now - 86_400..<now + lifetime }

  static func issue(
    subject: DistinguishedName, key: P256.Signing.PublicKey, issuer: DistinguishedName,
    issuerKey: P256.Signing.PrivateKey, validity: Range<Date>,
    extensions: Certificate.Extensions
  ) throws -> Certificate {
    let publicKey = Certificate.PublicKey(key)
    let issuerIdentifier = SubjectKeyIdentifier(hash: Certificate.PublicKey(issuerKey.publicKey))
    var all = extensions
    try all.append(.init(SubjectKeyIdentifier(hash: publicKey), critical: false))
    try all.append(
      .init(
        AuthorityKeyIdentifier(keyIdentifier: issuerIdentifier.keyIdentifier), critical: false))
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: validity.lowerBound, notValidAfter: validity.upperBound, issuer: issuer,
      subject: subject, signatureAlgorithm: .ecdsaWithSHA256, extensions: all,
      issuerPrivateKey: Certificate.PrivateKey(issuerKey))
  }
}
