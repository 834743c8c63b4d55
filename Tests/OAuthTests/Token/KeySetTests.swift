import JOSE
import OpenSSL
import TestSupport

@testable import OAuth

@Suite("Key set")
struct KeySetTests {
  private static let noKey = "no published key of id.test fits the ID token"
  private static let wrong = "the signature of the ID token is wrong"
  private static let notAllowed = "the ID token is signed with an algorithm that is not allowed"

  @Test("refuses a signature of another key", arguments: [JWSAlgorithm.rs256, .es256])
  func signature(algorithm: JWSAlgorithm) async throws {
    let stranger = try TokenForge(algorithm, stranger: true)
    let forge = try TokenForge(algorithm)
    let announced: JSON = [.string(algorithm.rawValue)]
    try await refused(try stranger.token(), [try forge.published()], announced, Self.wrong)
    let halves = try forge.token().split(separator: ".")
    let changed = try forge.token(["sub": "mallory"]).split(separator: ".")
    let spliced = "\(changed[0]).\(changed[1]).\(halves[2])"
    try await refused(spliced, [try forge.published()], announced, Self.wrong)
  }

  @Test("refuses an unsigned token, whatever is announced")
  func none() async throws {
    let forge = try TokenForge(.rs256)
    let claims = try JSON.object(forge.claims).serialized()
    let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
    let token = "\(header).\(Base64URL.encode(Array(claims.utf8)))."
    try await refused(token, [try forge.published()], ["none", "RS256"], Self.notAllowed)
  }

  @Test("refuses a token authenticated with the public key, whatever is announced")
  func confusion() async throws {
    let forge = try TokenForge(.rs256)
    let claims = try Array(JSON.object(forge.claims).serialized().utf8)
    let published = try forge.published()
    let secrets = [try forge.key.publicKey.spki, Array(published.serialized().utf8)]
    for secret in secrets {
      let token = try JWS.sign(
        header: ["kid": "k1"], payload: claims, secret: secret, algorithm: .hs256)
      let shared: JSON = ["kty": "oct", "kid": "k1", "k": .string(Base64URL.encode(secret))]
      try await refused(token, [published, shared], ["RS256", "HS256"], Self.notAllowed)
    }
  }

  @Test(
    "refuses an algorithm that the server does not announce",
    arguments: [
      (.es256, ["RS256"]), (.rs256, ["ES256"]), (.rs256, []), (.es256, nil),
    ] as [(JWSAlgorithm, [String]?)])
  func announced(algorithm: JWSAlgorithm, announced: [String]?) async throws {
    let forge = try TokenForge(algorithm)
    try await refused(
      try forge.token(), [try forge.published()], announced.map { .strings($0) },
      Self.notAllowed)
  }

  @Test("refuses an unknown key ID, and a key for another use or algorithm")
  func unfit() async throws {
    let forge = try TokenForge(.es256)
    let unknown = try forge.token(header: ["kid": "k2"])
    try await refused(unknown, [try forge.published()], ["ES256"], Self.noKey)
    let changes: [[String: JSON?]] = [
      ["use": "enc"], ["alg": "ES384"], ["kid": nil], ["key_ops": .strings(["sign"])],
    ]
    for change in changes {
      try await refused(try forge.token(), [try forge.published(change)], ["ES256"], Self.noKey)
    }
    let rsa = try TokenForge(.rs256)
    try await refused(try forge.token(), [try rsa.published()], ["ES256"], Self.noKey)
    try await refused(try forge.token(), [], ["ES256"], Self.noKey)
  }

  @Test(
    "tries every key that fits a token without key ID", arguments: [JWSAlgorithm.rs256, .es256])
  func withoutKeyID(algorithm: JWSAlgorithm) async throws {
    let forge = try TokenForge(algorithm)
    let stranger = try TokenForge(algorithm, stranger: true)
    let token = try forge.token(header: [:])
    let announced: JSON = [.string(algorithm.rawValue)]
    let strange = try stranger.published(["kid": "k0"])
    #expect(
      try await TokenForge.check(
        token, keys: [strange, try forge.published()], announced: announced) == "alice")
    try await refused(token, [strange], announced, Self.wrong)
  }

  @Test("tries no more than 32 keys")
  func bounded() async throws {
    let forge = try TokenForge(.es256)
    let strange = try TokenForge(.es256, stranger: true).published()
    let key = try forge.published()
    let token = try forge.token()
    let last = Array(repeating: strange, count: 31) + [key]
    #expect(try await TokenForge.check(token, keys: last, announced: ["ES256"]) == "alice")
    try await refused(token, [strange] + last, ["ES256"], Self.wrong)
  }

  @Test(
    "says what is wrong with the document of keys",
    arguments: [
      (
        FakeTransport.Response.json("{}"), OAuthError.Code.malformed,
        "the keys of id.test are unusable: "
      ),
      (.json(#"{"keys":{}}"#), .malformed, "the keys of id.test are unusable: "),
      (.json("[]"), .malformed, "the response of id.test is not a JSON object"),
      (.other(404, "text/html"), .refused, "id.test returned 404"),
      (.other(502, "text/html"), .unavailable, "id.test returned 502"),
    ])
  func document(answer: FakeTransport.Response, code: OAuthError.Code, message: String) async throws
  {
    let transport = FakeTransport(["https://id.test/jwks": [answer]])
    let keys = KeySet(
      url: try HTTPURL("https://id.test/jwks"), serverClient: ServerClient(transport: transport))
    let token = try JWS(compact: try TokenForge(.es256).token())
    let error = await expect(code) { try await keys.verify(token, allowed: [.es256]) }
    #expect(error?.message.hasPrefix(message) == true)
    #expect(transport.sent.map(\.method) == ["GET"])
  }

  @Test("tells the log of each key that cannot be used, at every use, from the cache too")
  func log() async throws {
    let forge = try TokenForge(.es256)
    let keys: JSON = ["keys": [try forge.published(), ["kty": "new", "kid": "k7"]]]
    let transport = FakeTransport(["https://id.test/jwks": [.json(keys.serialized())]])
    let lines = Mutex<[String]>([])
    var client = ServerClient(transport: transport)
    client.trace = { line in lines.withLock { $0.append(line) } }
    let set = KeySet(url: try HTTPURL("https://id.test/jwks"), serverClient: client)
    try await set.verify(try JWS(compact: try forge.token()), allowed: [.es256])
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0[0].hasPrefix("id.test: the key 'k7' was published, but cannot") })
  }

  private func refused(
    _ token: String, _ keys: [JSON], _ announced: JSON?, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    await expect(.untrusted, message, sourceLocation: sourceLocation) {
      _ = try await TokenForge.check(token, keys: keys, announced: announced)
    }
  }
}
