import OpenSSL
import TestSupport

@testable import JOSE

@Suite("Certificates of keys")
struct KeyCertificateTests {
  private static func members(_ kind: KeyKind) throws -> (JSON, Certificate) {
    let key = try PrivateKey.generate(kind)
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "k", from: 0, to: 2_000_000_000)
    var json = try JWK(try key.publicKey).json
    json["x5c"] = [.string(base64(certificate.der))]
    return (json, certificate)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
  }

  @Test(
    "of the key itself are accepted, with their hashes",
    arguments: [.ec(.p256), .ed25519] as [KeyKind])
  func matching(kind: KeyKind) throws {
    var (json, certificate) = try Self.members(kind)
    #expect(try JWK(json: json).certificateMismatch == nil)
    let sha1 = try Digest.hash(certificate.der, with: .sha1)
    json["x5t#S256"] = .string(Base64URL.encode(certificate.sha256))
    // Some issuers encode the digits of the hash.
    let digits = sha1.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    for spelling in [sha1, Array(digits.joined().utf8)] {
      json["x5t"] = .string(Base64URL.encode(spelling))
      #expect(try JWK(json: json).certificateMismatch == nil)
    }
  }

  @Test("of another key, or with another hash, make the key useless (RFC 7517 sections 4.7 to 4.9)")
  func foreign() throws {
    let (one, other) = (try Self.members(.ec(.p256)), try Self.members(.ec(.p256)))
    let hash = Base64URL.encode(other.1.sha256)
    let rows: [(String, JSON, String)] = [
      ("x5c", other.0["x5c"] ?? .null, "the first certificate of 'x5c' has another key"),
      ("x5t#S256", .string(hash), "'x5t#S256' is not the hash of the first certificate of 'x5c'"),
      ("x5t", .string(hash), "'x5t' is not the hash of the first certificate of 'x5c'"),
    ]
    for (name, value, reason) in rows {
      var json = one.0
      json[name] = value
      let key = try JWK(json: json)
      #expect(key.certificateMismatch == reason)
      #expect(key.incompatibility(with: .es256) == reason)
      #expect(JWKSet(keys: [key]).candidates(kid: nil, algorithm: .es256).isEmpty)
    }
    #expect(try JWK(json: one.0).incompatibility(with: .es256) == nil)
  }

  @Test(
    "that cannot be read, and members that are null, say nothing of the key",
    arguments: [
      ["AAAA"], [], "text", ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"], .null,
    ] as [JSON])
  func unreadable(certificates: JSON) throws {
    var json = try Self.members(.ec(.p256)).0
    json["x5c"] = certificates
    json["use"] = .null
    #expect(try JWK(json: json).incompatibility(with: .es256) == nil)
  }
}
