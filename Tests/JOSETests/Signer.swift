import JSON
import OpenSSL
import Testing

@testable import JOSE

/// A fresh key for an algorithm, and what verifies with it.
struct Signer {
  let algorithm: JWSAlgorithm
  let key: JWK
  let privateKey: PrivateKey?
  private let secret: [UInt8]

  init(_ algorithm: JWSAlgorithm, kid: String? = nil) throws {
    self.algorithm = algorithm
    let kind: KeyKind? =
      switch algorithm {
      case .hs256, .hs384, .hs512: nil
      case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(bits: 2048)
      case .es256: .ec(.p256)
      case .es384: .ec(.p384)
      case .es512: .ec(.p521)
      case .es256k: .ec(.secp256k1)
      case .edDSA: .ed25519
      }
    secret = try Random.bytes(64)
    privateKey = try kind.map { try PrivateKey.generate($0) }
    if let privateKey {
      key = try JWK(privateKey.publicKey, kid: kid, algorithm: algorithm)
    } else {
      key = try JWK(
        json: .members([
          "kty": "oct", "k": .string(Base64URL.encode(secret)), "kid": kid.map { .string($0) },
        ]))
    }
  }

  func sign(_ header: JSONObject, _ payload: String) throws -> String {
    let payload = Array(payload.utf8)
    guard let privateKey else {
      return try JWS.sign(header: header, payload: payload, secret: secret, algorithm: algorithm)
    }
    return try JWS.sign(header: header, payload: payload, key: privateKey, algorithm: algorithm)
  }
}

/// Expects a refusal of that kind.
func expect(
  _ code: JOSEError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: JOSEError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}
