import OpenSSL
import TestSupport

@testable import JOSE

/// RFC 7520, "Examples of Protecting Content Using JOSE".
@Suite("RFC 7520")
struct CookbookTests {
  private static let document = Vectors.cookbook
  private static let signatures = document["jws"]?.array ?? []
  private static let encryptions = document["jwe"]?.array ?? []

  private static func key(_ section: String) throws -> JSON {
    try #require(document["keys"]?[section])
  }

  private static func text(_ row: JSON, _ name: String) throws -> String {
    try #require(row[name]?.string)
  }

  private static func file(_ key: JSON) throws -> KeyFile {
    try KeyFile(Array(key.serialized().utf8))
  }

  @Test("keys of section 3 are read, and the private ones have the public ones in them")
  func keys() throws {
    for (publicKey, privateKey) in [("3.1", "3.2"), ("3.3", "3.4")] {
      let document = try Self.key(publicKey)
      let jwk = try JWK(json: document)
      #expect(jwk.json == document)
      let secret = try PrivateJWK(json: Self.key(privateKey))
      #expect(secret.publicKey.json == document)
      #expect(try secret.secretJSON == Self.key(privateKey))
    }
    for section in ["3.5", "3.6"] {
      let entry = try #require(Self.file(Self.key(section)).entries.first)
      #expect(entry.jwk.kty == "oct")
      #expect(try entry.jwk.kid == Self.text(Self.key(section), "kid"))
    }
  }

  @Test("signatures of sections 4.1 to 4.4 are valid with their keys, and with no other")
  func signatures() throws {
    #expect(Self.signatures.count == 4)
    for row in Self.signatures {
      let jws = try JWS(compact: Self.text(row, "compact"))
      let algorithm = try #require(JWSAlgorithm(identifier: Self.text(row, "alg")))
      #expect(jws.algorithm == algorithm)
      #expect(String(decoding: jws.payload, as: UTF8.self) == Self.document["payload"]?.string)
      for section in ["3.1", "3.3", "3.5"] {
        let set = JWKSet(keys: [try JWK(json: Self.key(section))])
        if section == row["key"]?.string {
          try set.verify(jws, allowed: [algorithm])
        } else {
          expect(.noMatchingKey) { try set.verify(jws, allowed: [algorithm]) }
        }
      }
    }
  }

  @Test("sections 4.1 and 4.4 are what is signed here, byte by byte")
  func signing() throws {
    let payload = Array(try #require(Self.document["payload"]?.string).utf8)
    let rsa = try PrivateJWK(json: Self.key("3.4"))
    let header: JSONObject = ["kid": "bilbo.baggins@hobbiton.example"]
    let signed = try JWS.sign(
      header: header, payload: payload, key: try #require(rsa.key), algorithm: .rs256)
    #expect(try signed == Self.text(Self.signatures[0], "compact"))
    let secret = try Base64URL.decode(Self.text(Self.key("3.5"), "k"))
    let hmac = try JWS.sign(
      header: ["kid": "018c0ae5-4d9b-471b-bfd6-eef314bc7037"], payload: payload, secret: secret,
      algorithm: .hs256)
    #expect(try hmac == Self.text(Self.signatures[3], "compact"))
  }

  @Test("detached content of section 4.5 is not valid without the content, and valid with it")
  func detached() throws {
    let row = try #require(Self.document["otherForms"]?.array?.first)
    let compact = try Self.text(row, "compact")
    let key = try JWK(json: Self.key("3.5"))
    expect(.signatureInvalid) { try JWS(compact: compact).verify(with: key, allowed: [.hs256]) }
    let parts = compact.split(separator: ".")
    let payload = Base64URL.encode(Array(Self.document["payload"]?.string?.utf8 ?? "".utf8))
    try JWS(compact: "\(parts[0]).\(payload).\(parts[1])").verify(with: key, allowed: [.hs256])
  }

  @Test("section 5: what is supported is decrypted, what is not is refused by its name")
  func encryption() throws {
    let refused = ["5.1": "RSA1_5", "5.3": "PBES2", "5.7": "A256GCMKW", "5.9": "compressed"]
    #expect(Self.encryptions.count == 9)
    for row in Self.encryptions {
      let section = try Self.text(row, "section")
      let compact = try Self.text(row, "compact")
      let key = try Self.file(row["key"] ?? Self.key("3.6"))
      guard refused[section] == nil else {
        expect(.unsupported) { _ = try JWE(compact: compact).decrypt(withAnyOf: key) }
        continue
      }
      let content = try JWE(compact: compact).decrypt(withAnyOf: key)
      #expect(
        String(decoding: content, as: UTF8.self) == Self.document["plaintext"]?.string,
        "\(section)")
    }
  }

  @Test("the nested token of section 6 is decrypted and verified in one step")
  func nested() throws {
    let row = try #require(Self.document["nested"])
    var verifier = TokenVerifier(
      keys: JWKSet(keys: [try JWK(json: #require(row["signingKey"]))]), allowed: [.ps256],
      TokenExpectations(now: 1_300_819_000))
    let token = try Self.text(row, "compact")
    #expect(verifier.report(on: token).failures.map(\.name) == [.decryption])
    verifier.decryptionKeys = try Self.file(#require(row["encryptionKey"]))
    let report = verifier.report(on: token)
    #expect(report.verdict == .valid, "\(report)")
    #expect(report.header?["alg"] == "PS256")
  }
}
