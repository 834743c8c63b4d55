import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A certificate by which a client can authenticate (RFC 8705), with its key.
struct ClientIdentity {
  let leaf: Certificate
  /// What the client sends after its own certificate.
  let issuers: [Certificate]
  let key: P256.Signing.PrivateKey

  /// A certificate under the sandbox's authority, or under none but its own key.
  init(name: String, authority: Authority?, isExpired: Bool, now: Date) throws {
    let key = P256.Signing.PrivateKey()
    let subject = try Authority.named(name)
    let past = now - 2 * Authority.lifetime
    self.key = key
    issuers = authority.map { [$0.intermediate] } ?? []
    leaf = try Authority.issue(
      subject: subject, key: key.publicKey, issuer: authority?.intermediate.subject ?? subject,
      issuerKey: authority?.intermediateKey ?? key,
      validity: Authority.validity(now: isExpired ? past : now),
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.clientAuth])
        SubjectAlternativeNames([
          .dnsName(name), .uniformResourceIdentifier("urn:sandbox:client:\(name)"),
          .rfc822Name("\(name)@example.com"),
          .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
        ])
      })
  }

  /// Whether a name may stand in a certificate: a DNS name of letters, digits, dots and dashes.
  static func isName(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count)
      && name.utf8.allSatisfy { character in
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  func chainPEM() throws -> String {
    try ([leaf] + issuers).map { try $0.serializeAsPEM().pemString + "\n" }.joined()
  }

  var keyPEM: String { key.pemRepresentation + "\n" }

  /// The key as a JWK with the certificate in `x5c`: for the `jwks` of a registration.
  func publicJWK() throws -> JSON {
    let shown = try ShownCertificate(leaf)
    var members = CertificateKey.jwk(of: leaf)?.object ?? [:]
    members["x5c"] = .array([.string(Base64.encode(shown.der))])
    members["x5t#S256"] = .string(shown.thumbprint)
    return .object(members)
  }
}
