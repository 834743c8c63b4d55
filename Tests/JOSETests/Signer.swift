import OpenSSL
import TestSupport

@testable import JOSE

/// A fresh key for an algorithm, and what verifies with it.
struct Signer {
  let algorithm: JWSAlgorithm
  let key: JWK
  let privateKey: PrivateKey?
  private let secret: [UInt8]

  init(_ algorithm: JWSAlgorithm, kid: String? = nil) throws {
    self.algorithm = algorithm
    secret = try Random.bytes(64)
    privateKey = try algorithm.kind.map { try PrivateKey.generate($0) }
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

/// Expects a refusal of that kind, and answers it.
@discardableResult
func expect<Value>(
  _ code: JOSEError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Value
) -> JOSEError? {
  let error = #expect(throws: JOSEError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}
