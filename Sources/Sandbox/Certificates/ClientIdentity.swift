import JSON
import Primitives

/// A certificate by which a client can authenticate (RFC 8705), with its key.
struct ClientIdentity {
  let leaf: Certificate
  /// What the client sends after its own certificate.
  let issuers: [Certificate]
  let key: PrivateKey

  /// A certificate under the sandbox's authority, or under none but its own key.
  init(name: String, authority: Authority?, isExpired: Bool, now: Int) throws {
    let key = try PrivateKey()
    let moment = isExpired ? now - 2 * Authority.lifetime : now
    self.key = key
    issuers = authority.map { [$0.intermediate] } ?? []
    leaf = try CertificateTemplate(
      subject: name, key: key.publicKey, validity: Authority.validity(now: moment), use: .client,
      names: [
        .dns(name), .uri("urn:sandbox:client:\(name)"), .email("\(name)@example.com"),
        .address([127, 0, 0, 1]),
      ]
    ).issue(by: authority?.intermediate, authority?.intermediateKey ?? key)
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
    try ([leaf] + issuers).map { try $0.pem() }.joined()
  }

  func keyPEM() throws -> String { try key.pem() }

  /// The key as a JWK with the certificate in `x5c`: for the `jwks` of a registration.
  func publicJWK() -> JSON {
    let shown = ShownCertificate(leaf)
    var members = leaf.publicKey.jwk?.object ?? [:]
    members["x5c"] = .array([.string(Base64.encode(shown.der))])
    members["x5t#S256"] = .string(shown.thumbprint)
    return .object(members)
  }
}
