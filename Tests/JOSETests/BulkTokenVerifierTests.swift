import JSON
import OpenSSL
import Primitives
import TestSupport
import Testing

@testable import JOSE

@Suite("Recognising valid tokens in bulk")
struct BulkTokenVerifierTests {
  private static let claims =
    #"{"iss":"i","aud":["a","b"],"exp":2000,"iat":900,"x":{"y":[1,true,null,{"z":"\#u{7E}"}]}}"#

  private static func verifier(_ key: JWK) -> TokenVerifier {
    var expectations = TokenExpectations(now: 1000)
    expectations.issuer = "i"
    expectations.audiences = ["b"]
    return TokenVerifier(
      keys: JWKSet(keys: [key]), allowed: Set(JWSAlgorithm.allCases), expectations)
  }

  private func match(_ bulk: BulkTokenVerifier, _ text: String) -> BulkTokenVerifier.Match? {
    var text = text
    return text.withUTF8 { bulk.match($0) }
  }

  @Test(
    "agrees with the checks one by one about every changed token",
    arguments: [JWSAlgorithm.rs256, .ps384, .es256, .es384, .es512, .es256k])
  func agreement(algorithm: JWSAlgorithm) throws {
    let signer = try Signer(algorithm, kid: "k")
    let verifier = Self.verifier(signer.key)
    let bulk = BulkTokenVerifier(verifier)
    let token = try signer.sign(["kid": "k"], Self.claims)
    #expect(match(bulk, token) == nil, "a header must be learned first")
    let header = try #require(bulk.learn(token))
    #expect(bulk.learn(token) == header)
    #expect(match(bulk, token) == BulkTokenVerifier.Match(header: header, times: 5))
    let bytes = Array(token.utf8)
    for index in bytes.indices {
      for bit in [1, 4, 0x20] as [UInt8] {
        var changed = bytes
        changed[index] ^= bit
        #expect(changed.withUnsafeBufferPointer { bulk.match($0) } == nil)
      }
    }
    var dice = Dice(state: 14)
    for _ in 0..<500 {
      let changed = dice.mutated(bytes)
      guard changed != bytes else { continue }
      #expect(changed.withUnsafeBufferPointer { bulk.match($0) } == nil)
    }
  }

  @Test("recognises only claims that the checks accept too")
  func claims() throws {
    let signer = try Signer(.es256)
    let verifier = Self.verifier(signer.key)
    let bulk = BulkTokenVerifier(verifier)
    _ = try #require(bulk.learn(signer.sign([:], Self.claims)))
    let base = #"{"iss":"i","aud":"b","exp":2000"#
    let rows: [(String, Bool)] = [
      (base + "}", true), (base + #","nbf":1060}"#, true), (base + " \n}\t", true),
      (base + #","nbf":1061}"#, false), (base + #","iat":1061}"#, false),
      (base + #","exp":2000}"#, false), (base + #","x":1,"x":1}"#, false),
      (base + #","x":{"a":1,"a":2}}"#, false), (base + #","sub":1}"#, false),
      (base + "}x", false), (base + "", false), (base + ",}", false), (base + #","x":01}"#, false),
      (base + #","x":tru}"#, false), (base + #","x":[1,]}"#, false),
      (#"{"iss":"i","aud":"b","exp":940}"#, false), (#"{"iss":"i","aud":"b"}"#, false),
      (#"{"iss":"j","aud":"b","exp":2000}"#, false), (#"{"iss":"i","aud":"c","exp":2000}"#, false),
      (#"{"iss":"i","aud":[],"exp":2000}"#, false), (#"{"iss":"i","aud":[1],"exp":2000}"#, false),
      (#"{"iss":"i","aud":"b","exp":"2000"}"#, false), (#"{"iss":"i","exp":2000}"#, false),
      (#"{"iss":"i","aud":"b","exp":253402300800}"#, false), ("[]", false), ("", false),
      (base + #","x":"# + String(repeating: "[", count: 10_000), false),
    ]
    for (claims, isValid) in rows {
      let token = try signer.sign([:], claims)
      #expect((match(bulk, token) != nil) == isValid, "\(claims.prefix(80))")
      #expect((verifier.report(on: token).verdict == .valid) == isValid, "\(claims.prefix(80))")
    }
    // What it does not read is left to the checks, which accept it.
    for claims in [
      base + #","name":"\u00e9"}"#, base + #","name":"é"}"#, base + #","x":1.5}"#,
      base + #","nbf":1e3}"#, base + #","iat":0}"#,
    ] {
      let token = try signer.sign([:], claims)
      #expect(match(bulk, token) == nil)
      #expect(verifier.report(on: token).verdict == .valid, "\(claims)")
    }
  }

  @Test("random documents that the scanner reads are those that the parser reads")
  func scanner() throws {
    var dice = Dice(state: 7)
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = dice.mutated(Array(Self.claims.utf8))
      let scanned = bytes.withUnsafeBufferPointer { bytes in
        ClaimScanner(bytes, audiences: [Array("b".utf8)]).map { claims in
          (claims.expiration, claims.issuer.map { String(decoding: $0, as: UTF8.self) })
        }
      }
      guard let scanned else { continue }
      accepted += 1
      let document = try JSON(parsing: bytes)
      #expect(document["exp"]?.int == scanned.0)
      #expect(document["iss"]?.string == scanned.1)
    }
    #expect(accepted > 100)
  }

  @Test("two keys with one key ID, shared secrets and EdDSA are left to the checks")
  func unusual() throws {
    let (one, two) = (try Signer(.es256, kid: "k"), try Signer(.es256, kid: "k"))
    let verifier = TokenVerifier(
      keys: JWKSet(keys: [one.key, two.key]), TokenExpectations(now: 1000))
    #expect(BulkTokenVerifier(verifier).learn(try one.sign(["kid": "k"], Self.claims)) == nil)
    for algorithm in [JWSAlgorithm.hs256, .edDSA] {
      let signer = try Signer(algorithm)
      let bulk = BulkTokenVerifier(Self.verifier(signer.key))
      #expect(bulk.learn(try signer.sign([:], Self.claims)) == nil)
    }
  }
}
