import JOSE
import OpenSSL
import TestSupport

@testable import OAuth

/// An issuer of ID tokens whose keys are made for the test run.
struct TokenForge: Sendable {
  static let now: Timestamp = 1_800_000_000
  static let accessToken = "access-token"
  static let nonce = "the-nonce"

  let algorithm: JWSAlgorithm
  let key: PrivateKey

  init(_ algorithm: JWSAlgorithm, stranger: Bool = false) throws {
    self.algorithm = algorithm
    key =
      switch (algorithm, stranger) {
      case (.es256, false): try Self.ec.get()
      case (.es256, true): try Self.otherEC.get()
      case (_, false): try Self.rsa.get()
      case (_, true): try Self.otherRSA.get()
      }
  }

  /// Claims that pass every check.
  var claims: JSONObject {
    get throws {
      [
        "iss": "https://id.test", "sub": "alice", "aud": "app", "exp": .time(Self.now + 300),
        "iat": .time(Self.now), "nonce": .string(Self.nonce),
        "at_hash": .string(try TokenHash.leftHalf(of: Self.accessToken, algorithm: algorithm)),
      ]
    }
  }

  func token(
    _ changes: [String: JSON?] = [:], header: JSONObject = ["kid": "k1"]
  ) throws -> String {
    var claims = try claims
    for (name, value) in changes { claims[name] = value }
    let payload = Array(JSON.object(claims).serialized().utf8)
    return try JWS.sign(header: header, payload: payload, key: key, algorithm: algorithm)
  }

  /// The public key as it is published.
  func published(_ changes: [String: JSON?] = [:]) throws -> JSON {
    var members = try JWK(try key.publicKey, kid: "k1", algorithm: algorithm).json.object ?? [:]
    for (name, value) in changes { members[name] = value }
    return .object(members)
  }

  /// A server that announces these algorithms and publishes these keys.
  static func check(
    _ token: String, keys: [JSON], announced: JSON?, nonce: String? = nonce,
    accessToken: String? = accessToken, code: String? = nil, parameters: FormParameters = [:]
  ) async throws -> String {
    let transport = FakeTransport(["https://id.test/jwks": [.keys(keys)]])
    let server = try metadata(["id_token_signing_alg_values_supported": announced])
    let check = IDTokenCheck(
      server: server, clientID: "app", nonce: nonce, accessToken: accessToken,
      code: code, parameters: parameters)
    return try await check.subject(of: token, at: now) { () throws(OAuthError) in
      try server.keys(over: transport)
    }
  }

  /// The subject of a token, at a server that announces and publishes this key only.
  func check(
    _ token: String? = nil, nonce: String? = nonce, code: String? = nil,
    parameters: FormParameters = [:]
  ) async throws -> String {
    try await Self.check(
      try token ?? self.token(), keys: [try published()],
      announced: [.string(algorithm.rawValue)], nonce: nonce, code: code, parameters: parameters)
  }

  private static let rsa = Result { try PrivateKey.generate(.rsa(bits: 2048)) }
  private static let otherRSA = Result { try PrivateKey.generate(.rsa(bits: 2048)) }
  private static let ec = Result { try PrivateKey.generate(.ec(.p256)) }
  private static let otherEC = Result { try PrivateKey.generate(.ec(.p256)) }
}
