import OpenSSL
import TestSupport

@testable import JOSE

@Suite("Key files")
struct KeyFileTests {
  private static let kinds: [KeyKind] = [
    .rsa(bits: 2048), .ec(.p256), .ec(.p384), .ec(.p521), .ec(.secp256k1), .ed25519, .ed448,
    .x25519, .x448,
  ]

  @Test("a private key becomes a JWK and the same key again", arguments: kinds)
  func roundTrip(kind: KeyKind) throws {
    let key = try PrivateKey.generate(kind)
    let jwk = try PrivateJWK(key, kid: "k", use: nil)
    let text = try #require(jwk.secretJSON).serialized()
    let back = try #require(try KeyFile(Array(text.utf8)).entries.first)
    #expect(back.privateKey?.key?.pkcs8 == key.pkcs8)
    #expect(back.jwk.publicKey == (try key.publicKey))
    #expect(back.jwk.kid == "k")
    #expect("\(jwk)" == "PrivateJWK(‹redacted›)")
    for bytes in [Array(key.pem.utf8), key.pkcs8] {
      let entry = try #require(try KeyFile(bytes).entries.first)
      #expect(entry.privateKey?.key?.pkcs8 == key.pkcs8)
    }
    let publicKey = try key.publicKey
    for bytes in [Array(publicKey.pem.utf8), publicKey.spki] {
      let entry = try #require(try KeyFile(bytes).entries.first)
      #expect(entry.jwk.publicKey == publicKey)
      #expect(entry.privateKey == nil)
    }
  }

  @Test("a private half that belongs to another key is refused", arguments: kinds)
  func mismatch(kind: KeyKind) throws {
    let (one, other) = (try PrivateKey.generate(kind), try PrivateKey.generate(kind))
    var members = try #require(try PrivateJWK(one).secretJSON?.object)
    let foreign = try #require(try PrivateJWK(other).secretJSON?.object)
    for name in ["d", "p", "q", "dp", "dq", "qi"] { members[name] = foreign[name] }
    expect(.cryptoFailure) { _ = try PrivateJWK(json: .object(members)) }
    for name in ["d", "p"] where members[name] != nil {
      var cut = try #require(try PrivateJWK(one).secretJSON?.object)
      cut[name] = "AA"
      expect(.cryptoFailure) { _ = try PrivateJWK(json: .object(cut)) }
    }
  }

  @Test("a set without a key that can be read says why")
  func emptySets() throws {
    let key = try #require(try PrivateJWK(PrivateKey.generate(.ec(.p256))).secretJSON?.object)
    let cut = JSON.object(key.filter { $0.key != "x" })
    for (text, message) in [
      (#"{"keys":[]}"#, "the key set is empty"),
      (JSON.object(["keys": [cut]]).serialized(), "the key has no member 'x'"),
    ] {
      let error = #expect(throws: JOSEError.self) { try KeyFile(Array(text.utf8)) }
      #expect(error?.message == message)
    }
    let both = JSON.object(["keys": [cut, .object(key)]]).serialized()
    #expect(try KeyFile(Array(both.utf8)).entries.count == 1)
  }

  @Test("an RSA key needs its primes, which the error names")
  func exponentsAlone() throws {
    let whole = try #require(
      try PrivateJWK(try PrivateKey.generate(.rsa(bits: 2048))).secretJSON?.object)
    var members = whole
    for name in ["p", "q", "dp", "dq", "qi"] { members[name] = nil }
    let error = #expect(throws: JOSEError.self) { _ = try PrivateJWK(json: .object(members)) }
    #expect(error?.message.contains("RSA keys without their primes") == true)
    members["p"] = whole["p"]
    expect(.cryptoFailure) { _ = try PrivateJWK(json: .object(members)) }
  }

  @Test("a set, a certificate and a shared secret are read")
  func others() throws {
    let signer = try Signer(.es256, kid: "1")
    let set = JSON.object(["keys": [signer.key.json, ["kty": "new"]]]).serialized()
    #expect(try KeyFile(Array(set.utf8)).keys.keys == [signer.key])
    let secret = try KeyFile(Array(#"{"kty":"oct","k":"AQID"}"#.utf8))
    #expect(secret.entries.first?.jwk.kty == "oct")
    let tool = try ForeignTool()
    try tool.run(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c "
        + "-subj /CN=x 2>/dev/null; openssl x509 -in c -outform DER -out d")
    for name in ["c", "d"] {
      let entry = try #require(try KeyFile(tool.read(name)).entries.first)
      #expect(entry.certificateHash?.utf8.count == 43)
      #expect(entry.jwk.publicKey == (try PrivateKey(pem: tool.read("k")).publicKey))
    }
  }

  @Test("an RSA public key of PKCS #1, a byte order mark and text around a key are read")
  func otherForms() throws {
    let tool = try ForeignTool()
    try tool.run(
      "openssl genrsa -out k 2048 2>/dev/null; openssl rsa -in k -RSAPublicKey_out -out p; "
        + "openssl rsa -in k -RSAPublicKey_out -outform DER -out d")
    let expected = try PrivateKey(pem: tool.read("k")).publicKey
    let (pem, mark) = (try tool.read("p"), [0xEF, 0xBB, 0xBF] as [UInt8])
    #expect(String(decoding: pem, as: UTF8.self).hasPrefix("-----BEGIN RSA PUBLIC KEY-----"))
    let document = Array(try JWK(expected).json.serialized().utf8)
    for bytes in [pem, try tool.read("d"), mark + pem, mark + document, Array("x\n".utf8) + pem] {
      let entry = try #require(try KeyFile(bytes).entries.first)
      #expect(entry.jwk.publicKey == expected)
      #expect(entry.privateKey == nil)
    }
  }

  @Test("keys of OpenSSH are refused")
  func openSSH() throws {
    for text in [
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n",
      "ssh-ed25519 AAAA me@host\n", "ecdsa-sha2-nistp256 AAAA\n",
    ] {
      let error = expect(.keyUnsuitable) { _ = try KeyFile(Array(text.utf8)) }
      #expect(error?.message.contains("the form of OpenSSH") == true)
    }
  }

  @Test(
    "an encrypted private key is refused, whatever it says in clear",
    arguments: [("ENCRYPTED PRIVATE KEY", ""), ("PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n")])
  func encrypted(label: String, headers: String) throws {
    let key = try PrivateKey.generate(.ec(.p256))
    let text = PEM.encode(key.pkcs8, label: label, headers: headers)
    expect(.keyUnsuitable) { _ = try KeyFile(Array(text.utf8)) }
  }

  @Test("a public key is no private key")
  func withoutPrivateHalf() throws {
    let key = try Signer(.es256).key
    expect(.keyUnsuitable) { _ = try PrivateJWK(json: key.json) }
  }

  @Test("a key of a type that JWK does not have is refused")
  func noForm() throws {
    let tool = try ForeignTool()
    try tool.run(
      "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP256r1 -out k; "
        + "openssl pkey -in k -pubout -out p")
    expect(.keyUnsuitable) { _ = try KeyFile(try tool.read("p")) }
  }

  @Test("an RSA private key with three primes is refused")
  func primes() throws {
    let key = try #require(try PrivateJWK(PrivateKey.generate(.rsa(bits: 2048))).secretJSON?.object)
    _ = try PrivateJWK(json: .object(key))
    let more = key.merging(["oth": [["r": "AQ", "d": "AQ", "t": "AQ"]]] as JSONObject) { $1 }
    expect(.cryptoFailure) { _ = try PrivateJWK(json: .object(more)) }
  }

  @Test(
    "what has no key is refused",
    arguments: [
      "", "x", "{}", #"{"keys":[]}"#, #"{"keys":1}"#, PEM.encode([0], label: "EC PARAMETERS"),
    ])
  func none(text: String) {
    expect(.malformed) { _ = try KeyFile(Array(text.utf8)) }
  }
}
