import TestSupport

@testable import JOSE

@Suite("Keys of a file that sign")
struct TokenSignerTests {
  @Test("are secrets too")
  func secret() throws {
    let k = Base64URL.encode([UInt8](repeating: 7, count: 64))
    let file = try KeyFile(Array(#"{"kty":"oct","k":"\#(k)","alg":"HS512"}"#.utf8))
    let entry = try #require(file.entries.first)
    let signer = try TokenSigner(entry)
    #expect(signer.algorithm == .hs512)
    let token = try JWS(compact: signer.sign(header: [:], payload: [1]))
    try token.verify(with: entry.jwk, allowed: [.hs512])
  }

  @Test("are no public keys")
  func publicKey() throws {
    let file = try KeyFile(Array(try Signer(.es256).key.json.serialized().utf8))
    let entry = try #require(file.entries.first)
    expect(.keyUnsuitable) { _ = try TokenSigner(entry) }
  }
}
