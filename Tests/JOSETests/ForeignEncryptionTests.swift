import OpenSSL
import TestSupport

@testable import JOSE

@Suite(.enabled(if: Program.isExpected("jose"), "needs the jose program"))
struct ForeignEncryptionTests {
  /// What the jose program knows: not RSA OAEP.
  private static let table = JWEAlgorithm.allCases.filter { $0.oaepDigest == nil }
    .flatMap { algorithm in JWEEncryption.allCases.map { (algorithm, $0) } }

  @Test("what jose encrypts is decrypted here", arguments: table)
  func theirs(algorithm: JWEAlgorithm, encryption: JWEEncryption) throws {
    let tool = try ForeignTool()
    let reader = try Reader(algorithm, encryption)
    try encrypt(tool, to: reader.published, algorithm, encryption)
    let token = String(decoding: try tool.read("token"), as: UTF8.self)
    #expect(try JWE(compact: token).decrypt(with: reader.key) == Array("theirs".utf8))
  }

  @Test("jose uses each curve as it is used here", arguments: [EllipticCurve.p384, .p521])
  func curves(curve: EllipticCurve) throws {
    let tool = try ForeignTool()
    let pem = try PrivateKey.generate(.ec(curve)).pem
    let key = try DecryptionKey(pem: pem, algorithm: .ecdhESA192KW)
    try encrypt(tool, to: try #require(key.publicKey), .ecdhESA192KW, .a256GCM)
    let token = String(decoding: try tool.read("token"), as: UTF8.self)
    #expect(try JWE(compact: token).decrypt(with: key) == Array("theirs".utf8))
  }

  private func encrypt(
    _ tool: ForeignTool, to key: JWK, _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption
  ) throws {
    var members = key.json.object ?? [:]
    // The tool takes `alg` of a key to be encrypted with directly for the encryption.
    members["alg"] = nil
    members["use"] = nil
    if case .secret(let secret) = key.material {
      members["k"] = .string(Base64URL.encode(secret.bytes))
    }
    try tool.write("key.jwk", Array(JSON.object(members).serialized().utf8))
    try tool.run(
      """
      printf theirs > content
      jose jwe enc -I content -k key.jwk -c -o token \
      -i '{"protected":{"alg":"\(algorithm.rawValue)","enc":"\(encryption.rawValue)"}}'
      """)
  }
}
