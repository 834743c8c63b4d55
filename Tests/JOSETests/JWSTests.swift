import OpenSSL
import TestSupport

@testable import JOSE

struct JWSTests {
  static let all = Set(JWSAlgorithm.allCases)

  @Test("the examples of the RFCs are valid, and only as they are", arguments: RFCVectors.tokens)
  func vectors(algorithm: JWSAlgorithm, token: String, key: JSON) throws {
    let jws = try JWS(compact: token)
    let key = try JWK(json: key)
    #expect(jws.algorithm == algorithm)
    try jws.verify(with: key, allowed: [algorithm])
    try JWKSet(keys: [key]).verify(jws, allowed: Self.all)
    expect(.algorithmNotAllowed) {
      try jws.verify(with: key, allowed: Self.all.subtracting([algorithm]))
    }
    expect(.algorithmNotAllowed) { try jws.verify(with: key, allowed: []) }
    var dice = Dice(state: 11)
    for _ in 0..<300 {
      let bytes = dice.mutated(Array(token.utf8))
      guard bytes != Array(token.utf8) else { continue }
      let mutated = String(decoding: bytes, as: UTF8.self)
      #expect(throws: JOSEError.self, "\(mutated)") {
        try JWS(compact: mutated).verify(with: key, allowed: Self.all)
      }
    }
  }

  @Test("what is signed here is valid here", arguments: JWSAlgorithm.allCases)
  func roundTrip(algorithm: JWSAlgorithm) throws {
    let signer = try Signer(algorithm)
    let token = try signer.sign(["kid": "k1", "typ": "at+jwt"], "payload")
    let jws = try JWS(compact: token)
    #expect(jws.algorithm == algorithm)
    #expect(jws.keyID == "k1")
    #expect(jws.type == "at+jwt")
    #expect(jws.payload == Array("payload".utf8))
    #expect(jws.header == ["kid": "k1", "typ": "at+jwt", "alg": .string(algorithm.rawValue)])
    try jws.verify(with: signer.key, allowed: [algorithm])
    expect(.signatureInvalid) { try jws.verify(with: Signer(algorithm).key, allowed: [algorithm]) }
    for other in JWSAlgorithm.allCases where other != algorithm {
      // The token says the other algorithm, and its signature would be right for this one.
      let header = Base64URL.encode(Array(#"{"alg":"\#(other.rawValue)"}"#.utf8))
      let parts = token.split(separator: ".")
      let swapped = try JWS(compact: "\(header).\(parts[1]).\(parts[2])")
      #expect(throws: JOSEError.self) { try swapped.verify(with: signer.key, allowed: Self.all) }
    }
  }

  @Test(
    "a text that is not a token is refused",
    arguments: [
      // The last ones have the header [] and "x" and an incomplete object.
      "", ".", "..", "a.b", "a.b.c.d", "a.b.c.d.e", "e30..", "W10..", "Ingi..", "ew..",
    ])
  func malformed(text: String) {
    expect(.malformed) { _ = try JWS(compact: text) }
  }

  @Test(
    "a header with unsupported members is refused",
    arguments: [
      (#"{"alg":1}"#, JOSEError.Code.malformed), (#"{"alg":null}"#, .malformed),
      (#"{"kid":"k"}"#, .malformed), (#"{"alg":"HS256","kid":7}"#, .malformed),
      (#"{"alg":"HS256","typ":[]}"#, .malformed),
      (#"{"alg":"HS256","alg":"RS256"}"#, .malformed),
      (#"{"alg":"HS256","crit":[]}"#, .malformed), (#"{"alg":"HS256","crit":"exp"}"#, .malformed),
      (#"{"alg":"HS256","crit":[1]}"#, .malformed),
      (#"{"alg":"HS256","crit":["exp"],"exp":1}"#, .criticalUnknown),
      (#"{"alg":"HS256","crit":["b64"],"b64":false}"#, .criticalUnknown),
      (#"{"alg":"HS256","b64":false}"#, .criticalUnknown),
      ("{\"alg\":\"HS256\"}x", .malformed),
    ])
  func header(text: String, code: JOSEError.Code) {
    let header = Base64URL.encode(Array(text.utf8))
    expect(code) { try JWS(compact: "\(header).e30.AA") }
  }

  @Test(
    "an unsigned token and an unknown algorithm verify with nothing",
    arguments: ["none", "None", "NONE", "nOnE", "", "HS1", "hs256", "ES512K", "RS256 ", "RSA1_5"])
  func unknownAlgorithm(name: String) throws {
    let header = Base64URL.encode(Array(#"{"alg":"\#(name)"}"#.utf8))
    for signature in ["", "AA"] {
      let jws = try JWS(compact: "\(header).e30.\(signature)")
      #expect(jws.algorithm == nil)
      let key = try JWK(json: RFCVectors.hmacKey)
      expect(.algorithmNotAllowed) { try jws.verify(with: key, allowed: Self.all) }
      expect(.algorithmNotAllowed) { try JWKSet(keys: [key]).verify(jws, allowed: Self.all) }
    }
  }

  @Test("a public key is never a shared secret")
  func confusion() throws {
    let signer = try Signer(.rs256)
    let publicKey = try #require(signer.key.publicKey)
    for secret in [publicKey.spki, Array(publicKey.pem.utf8), Array(publicKey.pem.dropLast().utf8)]
    {
      let token = try JWS.sign(header: [:], payload: [1], secret: secret, algorithm: .hs256)
      let jws = try JWS(compact: token)
      expect(.keyUnsuitable) { try jws.verify(with: signer.key, allowed: Self.all) }
      expect(.algorithmNotAllowed) {
        try jws.verify(with: signer.key, allowed: JWSAlgorithm.asymmetric)
      }
      expect(.noMatchingKey) { try JWKSet(keys: [signer.key]).verify(jws, allowed: Self.all) }
    }
  }

  @Test("a secret makes no signature of an algorithm for key pairs")
  func secretAsKeyPair() throws {
    let signer = try Signer(.hs256)
    let jws = try JWS(compact: signer.sign([:], "x"))
    #expect(jws.isSigned(by: signer.key, .hs256))
    #expect(!jws.isSigned(by: signer.key, .es256))
  }

  @Test(
    "base64url is canonical in every part",
    arguments: ["=", "==", " ", "\n", "+", "/", "\0", "é"])
  func spelling(extra: String) throws {
    let (_, token, key) = RFCVectors.tokens[0]
    let parts = token.split(separator: ".")
    for index in 0..<3 {
      var changed = parts.map(String.init)
      changed[index] += extra
      expect(.malformed) { _ = try JWS(compact: changed.joined(separator: ".")) }
    }
    // The last character carries two unused bits; any but 'k' here sets one of them.
    for last in "lmn" {
      expect(.malformed) { _ = try JWS(compact: token.dropLast() + String(last)) }
    }
    expect(.malformed) { _ = try JWS(compact: String(token.dropLast())) }
    try JWS(compact: token).verify(with: JWK(json: key), allowed: [.hs256])
  }

  @Test("size and depth are bounded")
  func bounds() throws {
    let header = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
    let room = JWS.maximumByteCount - header.utf8.count - 2
    let payload = String(repeating: "A", count: room / 4 * 4)
    #expect(try JWS(compact: "\(header).\(payload).").payload.count == room / 4 * 3)
    expect(.tooLarge) { _ = try JWS(compact: "\(header).\(payload)AAAA.") }
    for (depth, accepted) in [(62, true), (500_000, false), (100, false)] {
      let text =
        #"{"alg":"HS256","x":"# + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
      let deep = Base64URL.encode(Array(text.utf8))
      #expect(((try? JWS(compact: "\(deep)..")) != nil) == accepted, "\(depth)")
    }
  }

  @Test(
    "an ECDSA signature has the length of its curve",
    arguments: [(JWSAlgorithm.es256, 64), (.es384, 96), (.es512, 132)])
  func signatureLength(algorithm: JWSAlgorithm, count: Int) throws {
    let signer = try Signer(algorithm)
    let token = try signer.sign([:], "x")
    let jws = try JWS(compact: token)
    #expect(jws.signature.count == count)
    let message = token.split(separator: ".").prefix(2).joined(separator: ".")
    let der = try signer.privateKey?.sign(Array(message.utf8), try #require(algorithm.signature))
    let (r, s) = (jws.signature.prefix(count / 2), jws.signature.suffix(count / 2))
    let zeros = [UInt8](repeating: 0, count: count / 2)
    let longer: [UInt8] = [0] + r + [0] + s
    let wrong: [[UInt8]] = [
      try #require(der), [], jws.signature.dropLast(), jws.signature + [0], longer, zeros + zeros,
      [UInt8](repeating: 0xFF, count: count), zeros + s, r + zeros,
    ]
    for signature in wrong {
      let changed = try JWS(compact: "\(message).\(Base64URL.encode(signature))")
      expect(.signatureInvalid) { try changed.verify(with: signer.key, allowed: [algorithm]) }
    }
  }

  @Test("messages show remote text without its control characters")
  func messages() throws {
    let name = "x\\u001b[2J" + String(repeating: "y", count: 200)
    let header = Base64URL.encode(Array(#"{"alg":"\#(name)"}"#.utf8))
    let jws = try JWS(compact: "\(header)..")
    let key = try JWK(json: RFCVectors.hmacKey)
    let error = #expect(throws: JOSEError.self) { try jws.verify(with: key, allowed: Self.all) }
    let message = try #require(error?.message)
    #expect(message.contains("\\u{1B}[2J"))
    #expect(!message.unicodeScalars.contains("\u{1B}"))
    #expect(message.count < 200)
  }
}
