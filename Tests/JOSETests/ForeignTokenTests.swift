import OpenSSL
import TestSupport

@testable import JOSE

@Suite(.enabled(if: Program.isExpected("jose"), "needs the jose program"))
struct ForeignTokenTests {
  /// What the jose program knows: not EdDSA, by any name, and ES256K.
  ///
  /// joserfc knows these, see Tests/Interop.
  private static let algorithms = JWSAlgorithm.allCases.filter {
    ![.edDSA, .ed25519, .ed448, .es256k].contains($0)
  }

  @Test("a token that jose signed is valid", arguments: algorithms)
  func theirs(algorithm: JWSAlgorithm) throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      jose jwk gen -i '{"alg":"\(algorithm.rawValue)","kid":"theirs"}' -o key.jwk
      printf '{"iss":"jose"}' > payload
      jose jws sig -I payload -k key.jwk -c -o token
      jose jwk thp -a S256 -i key.jwk > thumbprint
      """)
    // A symmetric key has no public part.
    if !algorithm.isSymmetric { try tool.run("jose jwk pub -i key.jwk -o key.jwk") }
    let key = try JWK(json: JSON(parsing: tool.read("key.jwk")))
    let token = String(decoding: try tool.read("token"), as: UTF8.self)
    let jwt = try JWT(token)
    try jwt.jws.verify(with: key, allowed: [algorithm])
    #expect(jwt.issuer == "jose")
    #expect(key.kid == "theirs")
    #expect(key.alg == algorithm.rawValue)
    #expect(key.thumbprint == String(decoding: try tool.read("thumbprint"), as: UTF8.self))
    var dice = Dice(state: 5)
    for _ in 0..<100 {
      let bytes = dice.mutated(Array(token.utf8))
      guard bytes != Array(token.utf8) else { continue }
      #expect(throws: JOSEError.self) {
        try JWT(String(decoding: bytes, as: UTF8.self)).jws
          .verify(with: key, allowed: Set(JWSAlgorithm.allCases))
      }
    }
  }
}
