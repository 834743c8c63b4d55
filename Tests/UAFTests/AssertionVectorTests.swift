import OpenSSL
import TestSupport
import UAF

/// The vectors are of python-cryptography, with keys and signatures that have leading zero bytes.
@Suite("Assertions of another program")
struct AssertionVectorTests {
  private static let registrations = Vectors.uaf["registrations"]?.array ?? []
  private static let authentications = Vectors.uaf["authentications"]?.array ?? []

  @Test("of registrations are read, verified and written byte by byte", arguments: registrations)
  func registration(vector: JSON) throws {
    let bytes = try vector.bytes("assertion")
    let encoding = try vector.encoding()
    let signature = try vector.bytes("signature")
    let key = try PublicKey(spki: try vector.bytes("spki"))
    let data = KeyRegistrationData(
      aaid: .development, authenticatorVersion: try vector.number("version"), encoding: encoding,
      finalChallengeHash: try FinalChallenge.hash(try vector.text("fcParams")),
      keyID: try vector.bytes("keyID"), signCounter: try vector.number("signCounter"),
      registrationCounter: try vector.number("registrationCounter"),
      publicKey: try encoding.encode(key))
    #expect(data.publicKey == (try vector.bytes("publicKey")))
    let certificate = vector["certificate"]?.string.flatMap { Hex.decode($0.utf8) }
    let attestation =
      certificate.map {
        RegistrationAssertion.Attestation.basicFull(signature: signature, certificates: [$0])
      } ?? .surrogate(signature: signature)
    let assertion = RegistrationAssertion(data, attestation)
    #expect(try assertion.encoded() == bytes)
    #expect(try RegistrationAssertion(parsing: bytes) == assertion)
    #expect(try encoding.key(data.publicKey) == key)
    let signer = try certificate.map { try Certificate(der: $0).publicKey } ?? key
    let message = try data.element().encoded
    #expect(encoding.verify(signature: signature, message: message, with: signer))
    #expect(!encoding.verify(signature: signature, message: message + [0], with: signer))
  }

  @Test(
    "of authentications are read, verified and written byte by byte", arguments: authentications)
  func authentication(vector: JSON) throws {
    let bytes = try vector.bytes("assertion")
    let encoding = try vector.encoding()
    let data = SignedData(
      aaid: .development, authenticatorVersion: try vector.number("version"), encoding: encoding,
      nonce: try vector.bytes("nonce"),
      finalChallengeHash: try FinalChallenge.hash(try vector.text("fcParams")),
      transactionHash: try vector["content"]?.string.map { try Digest.sha256($0) },
      keyID: try vector.bytes("keyID"),
      signCounter: try vector.number("signCounter"))
    let assertion = AuthenticationAssertion(data, signature: try vector.bytes("signature"))
    #expect(try assertion.encoded() == bytes)
    #expect(try AuthenticationAssertion(parsing: bytes) == assertion)
    let key = try PublicKey(spki: try vector.bytes("spki"))
    #expect(
      encoding.verify(
        signature: assertion.signature, message: try data.element().encoded, with: key))
  }

  @Test("are there")
  func found() {
    #expect((Self.registrations.count, Self.authentications.count) == (12, 12))
  }

  @Test("of this program have numbers of full length, also if they begin with zeros")
  func leadingZeros() throws {
    let key = try PrivateKey.generate(.ec(.p256))
    let verifier = try key.publicKey
    var found: Set<Int> = []
    for number in 0..<5000 where found.count < 2 {
      let message = Array("message \(number)".utf8)
      let signature = try AssertionEncoding.raw.sign(message, with: key)
      try #require(signature.count == 64)
      for start in [0, 32] where signature[start] == 0 { found.insert(start) }
      guard signature[0] == 0 || signature[32] == 0 else { continue }
      #expect(AssertionEncoding.raw.verify(signature: signature, message: message, with: verifier))
    }
    #expect(found == [0, 32])
    for _ in 0..<2000 {
      let key = try PrivateKey.generate(.ec(.p256)).publicKey
      let bytes = try AssertionEncoding.raw.encode(key)
      try #require(bytes.count == 65)
      guard bytes[1] == 0 || bytes[33] == 0 else { continue }
      #expect(try AssertionEncoding.raw.key(bytes) == key)
      #expect(try AssertionEncoding.der.encode(key).suffix(65) == bytes[...])
      return
    }
    Issue.record("no key with a leading zero byte was found")
  }
}

extension JSON {
  fileprivate func text(_ name: String) throws -> String { try #require(self[name]?.string) }

  fileprivate func bytes(_ name: String) throws -> [UInt8] {
    try #require(Hex.decode(try text(name).utf8))
  }

  fileprivate func number<Number: FixedWidthInteger>(_ name: String) throws -> Number {
    try #require(self[name]?.int.flatMap(Number.init(exactly:)))
  }

  fileprivate func encoding() throws -> AssertionEncoding {
    try #require(AssertionEncoding(rawValue: try text("encoding")))
  }
}
