import Foundation
import OpenSSL
import TestSupport

@testable import JOSE

/// What is made here, read by two Python libraries: `read_tokens.py` runs joserfc and jwcrypto.
@Suite(.enabled(if: Program.isExpected("python3"), "needs python3"))
struct PythonReaderTests {
  @Test("joserfc and jwcrypto read every signature and every encryption of ours")
  func ours() throws {
    var rows: [JSON] = []
    // jwcrypto does not know the names of RFC 9864.
    for algorithm in JWSAlgorithm.allCases where ![.ed25519, .ed448].contains(algorithm) {
      rows.append(try Self.signed(algorithm))
    }
    for algorithm in JWEAlgorithm.allCases {
      for encryption in JWEEncryption.allCases {
        rows.append(try Self.encrypted(algorithm, encryption))
      }
    }
    for kind in [KeyKind.ec(.p384), .ec(.p521), .x25519] {
      rows.append(try Self.agreed(kind))
    }
    let tool = try ForeignTool()
    try tool.write("rows.json", Array(JSON.array(rows).serialized().utf8))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Interop/read_tokens.py").path
    let output = try tool.run("/usr/bin/python3 '\(script)' rows.json")
    #expect(output == "joserfc \(rows.count)\njwcrypto \(rows.count)")
  }

  private static func signed(_ algorithm: JWSAlgorithm) throws -> JSON {
    let name: JSON = .string(algorithm.rawValue)
    let payload = "made here: \(algorithm.rawValue)"
    guard algorithm.isSymmetric else {
      let signer = try Signer(algorithm)
      let members: JSON = .object(
        (signer.key.json.object ?? [:]).filter { !["alg", "use"].contains($0.key) })
      return [
        "alg": name, "key": members, "token": .string(try signer.sign([:], payload)),
        "content": .string(payload),
      ]
    }
    let secret = try Random.bytes(64)
    let token = try JWS.sign(
      header: [:], payload: Array(payload.utf8), secret: secret, algorithm: algorithm)
    return [
      "alg": name, "key": ["kty": "oct", "k": .string(Base64URL.encode(secret))],
      "token": .string(token), "content": .string(payload),
    ]
  }

  private static func encrypted(
    _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption
  ) throws -> JSON {
    let reader = try Reader(algorithm, encryption)
    return try row(algorithm, encryption, to: reader.published, by: reader.key)
  }

  private static func agreed(_ kind: KeyKind) throws -> JSON {
    let key = try DecryptionKey(pem: PrivateKey.generate(kind).pem, algorithm: .ecdhESA256KW)
    return try row(.ecdhESA256KW, .a256GCM, to: #require(key.publicKey), by: key)
  }

  private static func row(
    _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption, to published: JWK,
    by key: DecryptionKey
  ) throws -> JSON {
    let content = "made here: \(algorithm.rawValue) \(encryption.rawValue)"
    let token = try JWE.encrypt(Array(content.utf8), to: published, algorithm, encryption)
    let secret: JSON
    switch key.material {
    case .secret(let secretKey):
      secret = ["kty": "oct", "k": .string(Base64URL.encode(secretKey.bytes))]
    case .privateKey(let privateKey):
      secret = try #require(PrivateJWK(privateKey, use: nil).secretJSON)
    }
    return [
      "alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue), "key": secret,
      "token": .string(token), "content": .string(content),
    ]
  }
}
