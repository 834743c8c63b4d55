import OpenSSL
import TestSupport

@testable import JOSE

@Suite("Encrypted tokens")
struct JWETests {
  /// Every algorithm with every encryption that it can carry.
  private static let table = JWEAlgorithm.allCases.flatMap { algorithm in
    JWEEncryption.allCases.map { (algorithm, $0) }
  }

  @Test("what is encrypted here is decrypted here, and only with that key", arguments: table)
  func roundTrip(algorithm: JWEAlgorithm, encryption: JWEEncryption) throws {
    let reader = try Reader(algorithm, encryption)
    let content = Array("content of \(algorithm)".utf8)
    let token = try JWE.encrypt(
      content, to: reader.published, algorithm, encryption, header: ["cty": "JWT"])
    let jwe = try JWE(compact: token)
    #expect(jwe.algorithm == algorithm)
    #expect(jwe.encryption == encryption)
    #expect(jwe.keyID == reader.published.kid)
    #expect(jwe.header["cty"] == "JWT")
    #expect(try jwe.decrypt(with: reader.key) == content)
    #expect(try jwe.decrypt(with: reader.key, allowed: [encryption]) == content)
    expect(.algorithmNotAllowed) {
      _ = try jwe.decrypt(
        with: reader.key, allowed: Set(JWEEncryption.allCases).subtracting([encryption]))
    }
    let stranger = try Reader(algorithm, encryption)
    expect(.decryptionFailed) { _ = try jwe.decrypt(with: stranger.key) }
    for part in 1..<5 {
      var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard !parts[part].isEmpty else { continue }
      var bytes = try Base64URL.decode(parts[part])
      bytes[bytes.count / 2] ^= 1
      parts[part] = Base64URL.encode(bytes)
      let changed = try JWE(compact: parts.joined(separator: "."))
      expect(.decryptionFailed) { _ = try changed.decrypt(with: reader.key) }
      parts[part] = ""
      let emptied = try JWE(compact: parts.joined(separator: "."))
      expect(.decryptionFailed) { _ = try emptied.decrypt(with: reader.key) }
    }
  }

  @Test(
    "a key whose key_ops do not name decryption does not decrypt",
    arguments: [
      ("[]", false), (#"["encrypt"]"#, false), (#"["wrapKey","sign"]"#, false),
      (#"["decrypt"]"#, true), (#"["encrypt","unwrapKey"]"#, true), (#"["deriveBits"]"#, true),
    ])
  func operations(names: String, isGood: Bool) throws {
    let secret = try Random.bytes(32)
    let k = Base64URL.encode(secret)
    let token = try JWE.encrypt([1], to: JWK(secret: secret), .direct, .a256GCM)
    let file = try KeyFile(Array(#"{"kty":"oct","k":"\#(k)","key_ops":\#(names)}"#.utf8))
    let content = try? JWE(compact: token).decrypt(withAnyOf: file)
    #expect(content == (isGood ? [1] : nil))
  }

  @Test("an algorithm that is not supported is named", arguments: ["RSA1_5", "PBES2-HS256+A128KW"])
  func unsupported(algorithm: String) throws {
    let header = Base64URL.encode(Array(#"{"alg":"\#(algorithm)","enc":"A256GCM"}"#.utf8))
    let jwe = try JWE(compact: "\(header).AA.AA.AA.AA")
    let file = try KeyFile(Array(#"{"kty":"oct","k":"AQID"}"#.utf8))
    let error = #expect(throws: JOSEError.self) { _ = try jwe.decrypt(withAnyOf: file) }
    #expect(error?.message.contains("'\(algorithm)'") == true)
  }

  @Test(
    "a key that cannot be unwrapped and a wrong tag are one error, down to the text",
    arguments: JWEAlgorithm.allCases.filter { $0.rawValue.hasPrefix("RSA") })
  func noOracle(algorithm: JWEAlgorithm) throws {
    let reader = try Reader(algorithm, .a128GCM)
    let token = try JWE.encrypt([1, 2, 3], to: reader.published, algorithm, .a128GCM)
    // A key of the wrong length that unwraps well: with A256GCM the content key has 32 bytes.
    let longer = try JWE.encrypt([1, 2, 3], to: reader.published, algorithm, .a256GCM)
    let foreignKey = longer.split(separator: ".")[1]
    var errors: Set<JOSEError> = []
    for (part, change) in [
      (1, { (text: String) in Base64URL.encode([UInt8](repeating: 7, count: 256)) }),
      (1, { _ in "" }), (1, { _ in String(foreignKey) }),
      (3, { _ in Base64URL.encode([9, 9, 9]) }),
      (4, { _ in Base64URL.encode([UInt8](repeating: 0, count: 16)) }),
    ] as [(Int, (String) -> String)] {
      var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      parts[part] = change(parts[part])
      let changed = try JWE(compact: parts.joined(separator: "."))
      let error = #expect(throws: JOSEError.self) { _ = try changed.decrypt(with: reader.key) }
      if let error { errors.insert(error) }
    }
    #expect(errors.count == 1)
    #expect(errors.first?.code == .decryptionFailed)
  }

  @Test("the header is covered by the tag", arguments: JWEEncryption.allCases)
  func header(encryption: JWEEncryption) throws {
    let reader = try Reader(.a128KW, encryption)
    let token = try JWE.encrypt([1], to: reader.published, .a128KW, encryption)
    let rest = token.drop { $0 != "." }
    let other: JSON = [
      "alg": "A128KW", "enc": .string(encryption.rawValue), "kid": "more", "cty": "JWT",
    ]
    let changed = try JWE(compact: Base64URL.encode(Array(other.serialized().utf8)) + rest)
    expect(.decryptionFailed) { _ = try changed.decrypt(with: reader.key) }
  }

  @Test(
    "a key of X25519 works as one of the other curves",
    arguments: [
      JWEAlgorithm.ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW,
    ])
  func x25519(algorithm: JWEAlgorithm) throws {
    let pem = try PrivateKey.generate(.x25519).pem
    let key = try DecryptionKey(pem: pem, algorithm: algorithm)
    let token = try JWE.encrypt(
      [1, 2, 3], to: try #require(key.publicKey), algorithm, .a256GCM,
      header: ["apu": "QWxpY2U", "apv": "Qm9i"])
    let jwe = try JWE(compact: token)
    #expect(jwe.header["epk"]?["crv"] == "X25519")
    #expect(try jwe.decrypt(with: key) == [1, 2, 3])
  }

  /// RFC 7518 appendix C.
  @Test("the example of RFC 7518 for agreed keys comes out")
  func agreement() throws {
    let sec1: [UInt8] =
      [0x30, 0x77, 2, 1, 1, 4, 0x20]
      + (try Base64URL.decode("VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"))
      + [0xA0, 0x0A, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7, 0xA1, 0x44, 3, 0x42, 0, 4]
      + (try Base64URL.decode("weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ"))
      + (try Base64URL.decode("e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck"))
    let alice = try JWK(json: [
      "kty": "EC", "crv": "P-256", "x": "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0",
      "y": "SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps",
    ])
    let secret = try PrivateKey(der: sec1).sharedSecret(with: try #require(alice.publicKey))
    let key = try ConcatKDF.derive(
      from: secret, ["apu": "QWxpY2U", "apv": "Qm9i"], .ecdhES, .a128GCM)
    #expect(Base64URL.encode(key) == "VqqN6vgjbSBcIijNcacQGg")
  }

  @Test(
    "a token that asks for more than is known is refused",
    arguments: [
      (#"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#, .unsupported),
      (#"{"alg":"dir","enc":"A128GCM","crit":["x"],"x":1}"#, .criticalUnknown),
      (#"{"alg":"dir","enc":"A128GCM","crit":[]}"#, .malformed),
      (#"{"alg":"dir","alg":"dir","enc":"A128GCM"}"#, .malformed),
      (#"{"alg":"RSA1_5","enc":"A128GCM"}"#, .algorithmNotAllowed),
      (#"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2c":1000000000}"#, .algorithmNotAllowed),
      (#"{"alg":"none","enc":"A128GCM"}"#, .algorithmNotAllowed),
      (#"{"alg":"A128KW","enc":"A128GCM"}"#, .algorithmNotAllowed),
      (#"{"alg":"ECDH-ES","enc":"none"}"#, .algorithmNotAllowed),
      (#"{"alg":"ECDH-ES"}"#, .algorithmNotAllowed), (#"{"enc":"A128GCM"}"#, .malformed),
      (#"{"alg":7,"enc":"A128GCM"}"#, .malformed), (#"{"alg":"ECDH-ES","enc":7}"#, .malformed),
      (#"{"alg":"ECDH-ES","enc":"A128GCM"}"#, .malformed),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","epk":{}}"#, .decryptionFailed),
      (#"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"oct","k":"AA"}}"#, .decryptionFailed),
      // A point that is not on the curve, and one of another curve.
      (
        #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"EC","crv":"P-256","x":"\#(zeros)","#
          + #""y":"\#(zeros)"}}"#, .decryptionFailed
      ),
      (
        #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"OKP","crv":"X25519","x":"\#(x)"}}"#,
        .decryptionFailed
      ),
      ("[]", .malformed), ("x", .malformed),
    ] as [(String, JOSEError.Code)])
  func refused(header: String, code: JOSEError.Code) throws {
    let reader = try Reader(.ecdhES, .a128GCM)
    let parts = [Base64URL.encode(Array(header.utf8)), "", "AAAAAAAAAAAAAAAA", "AA", "AA"]
    expect(code) { _ = try JWE(compact: parts.joined(separator: ".")).decrypt(with: reader.key) }
  }

  @Test(
    "a text that is not a JWE is refused",
    arguments: [
      "", "eyJhbGciOiJkaXIifQ.AA", "e30....", "....", "eyJhbGciOiJkaXIifQ.AA.AA.AA.AA.AA",
    ])
  func malformed(text: String) {
    expect(.malformed) { _ = try JWE(compact: text) }
  }

  @Test("a token of more than a mebibyte is not read")
  func oversized() {
    expect(.tooLarge) { _ = try JWE(compact: String(repeating: "a", count: (1 << 20) + 1)) }
  }

  @Test("an ephemeral key may lack the zeros at the beginning of a coordinate")
  func shortCoordinate() throws {
    let reader = try Reader(.ecdhES, .a256GCM)
    var ephemeral = try PrivateKey.generate(.ec(.p256))
    var members = try JWK(ephemeral.publicKey, use: nil).json.object ?? [:]
    while try Base64URL.decode(members["x"]?.string ?? "").first != 0 {
      ephemeral = try PrivateKey.generate(.ec(.p256))
      members = try JWK(ephemeral.publicKey, use: nil).json.object ?? [:]
    }
    let bytes = try Base64URL.decode(members["x"]?.string ?? "")
    members["x"] = .string(Base64URL.encode(Array(bytes.drop { $0 == 0 })))
    let header: JSON = ["alg": "ECDH-ES", "enc": "A256GCM", "epk": .object(members)]
    let protected = Base64URL.encode(Array(header.serialized().utf8))
    let secret = try ephemeral.sharedSecret(with: try #require(reader.published.publicKey))
    let key = try ConcatKDF.derive(from: secret, header, .ecdhES, .a256GCM)
    let iv = try Random.bytes(12)
    let sealed = try JWEEncryption.a256GCM.seal(
      [1, 2, 3], key: key, iv: iv, additional: Array(protected.utf8))
    let rest = [[], iv, sealed.ciphertext, sealed.tag].map { Base64URL.encode($0) }
    let token = ([protected] + rest).joined(separator: ".")
    #expect(try JWE(compact: token).decrypt(with: reader.key) == [1, 2, 3])
  }

  @Test("a key is held to its use, its algorithm and its size")
  func keys() throws {
    let signer = try Signer(.es256)
    expect(.keyUnsuitable) { _ = try JWE.encrypt([], to: signer.key, .ecdhES, .a128GCM) }
    let reader = try Reader(.ecdhES, .a128GCM)
    expect(.keyUnsuitable) { _ = try JWE.encrypt([], to: reader.published, .rsaOAEP, .a128GCM) }
    expect(.keyUnsuitable) {
      _ = try JWE.encrypt([], to: reader.published, .ecdhESA128KW, .a128GCM)
    }
    let shared = try Reader(.direct, .a128GCM)
    expect(.keyUnsuitable) { _ = try JWE.encrypt([], to: shared.published, .direct, .a256GCM) }
    expect(.keyUnsuitable) { _ = try DecryptionKey(secret: [1], algorithm: .a128KW) }
    expect(.keyUnsuitable) { _ = try DecryptionKey(secret: [1], algorithm: .ecdhES) }
    expect(.keyUnsuitable) { _ = try DecryptionKey.generate(.direct) }
    let weak = try PrivateKey.generate(.rsa(bits: 1024))
    expect(.keyUnsuitable) { _ = try DecryptionKey(pem: weak.pem, algorithm: .rsaOAEP) }
    expect(.keyUnsuitable) { _ = try DecryptionKey(pem: weak.pem, algorithm: .ecdhES) }
  }

  @Test("a key is published for encryption and shows nothing of itself")
  func published() throws {
    let key = try DecryptionKey.generate(.ecdhES)
    let published = try #require(key.publicKey)
    #expect(published.use == "enc")
    #expect(published.alg == "ECDH-ES")
    #expect(published.kid == published.thumbprint)
    #expect(published.json["d"] == nil)
    #expect(try DecryptionKey(pem: key.pem ?? "", algorithm: .ecdhES) == key)
    #expect("\(key)" == "DecryptionKey(‹redacted›)")
    let shared = try DecryptionKey(secret: [UInt8](repeating: 7, count: 16), algorithm: .a128KW)
    #expect(shared.publicKey == nil)
    #expect(shared.pem == nil)
    #expect(!String(reflecting: shared).contains("7"))
  }

  private static let zeros = String(repeating: "A", count: 43)
  private static let x = "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"
}

/// A fresh key that opens tokens, and what is encrypted to.
struct Reader {
  let key: DecryptionKey
  let published: JWK

  init(_ algorithm: JWEAlgorithm, _ encryption: JWEEncryption) throws {
    if algorithm.isSymmetric {
      let secret = try Random.bytes(algorithm.wrappingByteCount ?? encryption.keyByteCount)
      key = try DecryptionKey(secret: secret, algorithm: algorithm)
      published = try JWK(json: [
        "kty": "oct", "k": .string(Base64URL.encode(secret)), "kid": "shared",
      ])
    } else {
      key = try DecryptionKey.generate(algorithm)
      published = try #require(key.publicKey)
    }
  }
}
