import JOSE
import OpenSSL
import TestSupport

@testable import OAuth

@Suite("Cached keys")
struct KeyCacheTests {
  private static let noKey = "no published key of id.test fits the ID token"
  private static let wrong = "the signature of the ID token is wrong"

  @Test("are used without network for an hour, and then requested again")
  func fresh() async throws {
    let bench = try Bench()
    try await bench.verify()
    bench.now = bench.now + 3599
    try await bench.verify()
    #expect(bench.asked == 1)
    bench.now = bench.now + 1
    try await bench.verify()
    #expect(bench.asked == 2)
  }

  @Test(
    "are stored as long as the response says, between five minutes and a day",
    arguments: [
      (nil, 3600), ("max-age=600", 600), ("public, Max-Age=7200", 7200), ("max-age=1", 300),
      ("max-age=999999999", 86400), ("no-store", 300), ("no-cache, max-age=7200", 300),
      ("private", 3600), ("max-age=x", 3600), ("max-age=-5", 300), ("", 3600),
    ] as [(String?, Int64)])
  func lifetime(control: String?, seconds: Int64) async throws {
    let bench = try Bench(control: control)
    try await bench.verify()
    #expect(bench.kept?.expires == TokenForge.now + seconds)
    #expect(bench.kept?.retried == nil)
  }

  @Test("are requested once more if no key fits, or if no key made the signature")
  func rotated() async throws {
    for kid in ["k1", "k2"] {
      let bench = try Bench()
      try await bench.verify()
      let successor = try TokenForge(.es256, stranger: true)
      bench.publish([try successor.published(["kid": .string(kid)])])
      try await bench.verify(try successor.token(header: ["kid": .string(kid)]))
      #expect(bench.asked == 2)
      try await bench.verify(try successor.token(header: ["kid": .string(kid)]))
      #expect(bench.asked == 2)
    }
  }

  @Test("are requested at most once in ten seconds, however many forged tokens arrive")
  func storm() async throws {
    let bench = try Bench()
    try await bench.verify()
    let forged = try TokenForge(.es256, stranger: true).token()
    let unknown = try TokenForge(.es256).token(header: ["kid": "k9"])
    for _ in 0..<50 {
      await expect(.untrusted, Self.wrong) { try await bench.verify(forged) }
      await expect(.untrusted, Self.noKey) { try await bench.verify(unknown) }
    }
    #expect(bench.asked == 2)
    bench.now = bench.now + 9
    await expect(.untrusted, Self.noKey) { try await bench.verify(unknown) }
    #expect(bench.asked == 2)
    bench.now = bench.now + 1
    for _ in 0..<50 {
      await expect(.untrusted, Self.noKey) { try await bench.verify(unknown) }
    }
    #expect(bench.asked == 3)
    // What is good is good all the while.
    try await bench.verify()
    #expect(bench.asked == 3)
  }

  @Test("are not requested again at once if the server fails, and the cached ones stay")
  func failing() async throws {
    let bench = try Bench()
    try await bench.verify()
    bench.answer(.other(503, "text/plain"))
    let unknown = try TokenForge(.es256).token(header: ["kid": "k9"])
    await expect(.unavailable, "id.test returned 503") { try await bench.verify(unknown) }
    await expect(.untrusted, Self.noKey) { try await bench.verify(unknown) }
    #expect(bench.asked == 2)
    try await bench.verify()
    #expect(bench.asked == 2)
  }

  @Test("are not requested for a token with an algorithm that is not allowed")
  func notAllowed() async throws {
    let bench = try Bench()
    let token = try TokenForge(.rs256).token()
    await expect(.untrusted, "the ID token is signed with an algorithm that is not allowed") {
      try await bench.verify(token)
    }
    #expect(bench.asked == 0)
  }

  @Test("with an impossible time are requested again", arguments: [86401, 0, -1] as [Int64])
  func implausible(left: Int64) async throws {
    let bench = try Bench()
    try await bench.verify()
    bench.kept?.expires = bench.now + left
    try await bench.verify()
    #expect(bench.asked == 2)
  }

  @Test("that are malformed are requested again")
  func unusable() async throws {
    let bench = try Bench()
    bench.kept = CachedKeys(document: ["keys": 7], expires: bench.now + 100)
    try await bench.verify()
    #expect(bench.asked == 1)
  }

  @Test("are found by their ID among ten thousand", .timeLimit(.minutes(10)))
  func tenThousand() async throws {
    let bench = try Bench()
    let stranger = Base64URL.encode([UInt8](repeating: 9, count: 32))
    let others = (0..<9_999).map { number -> JSON in
      ["kty": "OKP", "crv": "Ed25519", "kid": .string("\(number)"), "x": .string(stranger)]
    }
    let document = JSON.object(["keys": .array(others)]).serialized()
    #expect(document.utf8.count < 1 << 20)
    bench.publish(others + [try TokenForge(.es256).published()])
    try await bench.verify()
    try await bench.verify(try TokenForge(.es256).token(header: [:]))
    #expect(bench.asked == 1)
    // Of as many that fit, only some are tried.
    let pair = try TokenForge(.es256, stranger: true).published(["kid": nil])
    let fitting = Array(repeating: pair, count: 500)
    bench.publish(fitting)
    bench.now = bench.now + 3600
    await expect(.untrusted, Self.wrong) {
      try await bench.verify(try TokenForge(.es256).token(header: [:]))
    }
    #expect(bench.asked == 2)
  }

  @Test("of more than a mebibyte are not read")
  func tooMany() async throws {
    let bench = try Bench()
    bench.answer(.json(String(repeating: " ", count: (1 << 20) + 1)))
    let error = await expect(.transport) { try await bench.verify() }
    #expect(error?.transport?.code == .tooLarge)
    #expect(bench.kept == nil)
  }
}

/// A server with one key, and what is kept of it.
private final class Bench: Sendable {
  private let cache = MemoryCache<CachedKeys>()
  private let transport: FakeTransport
  private let time = Mutex(TokenForge.now)
  private let control: String?

  init(control: String? = nil) throws {
    self.control = control
    transport = FakeTransport()
    publish([try TokenForge(.es256).published()])
  }

  var now: Timestamp {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  /// What is kept of the keys.
  var kept: CachedKeys? {
    get { cache.value(of: Self.url) }
    set { if let newValue { cache.store(newValue, of: Self.url) } }
  }

  /// How often the server was asked.
  var asked: Int { transport.sent.count }

  func publish(_ keys: [JSON]) {
    var answer = FakeTransport.Response.json(JSON.object(["keys": .array(keys)]).serialized())
    if let control { answer.fields.append(HTTPField(known: "Cache-Control", control)) }
    self.answer(answer)
  }

  func answer(_ answer: FakeTransport.Response) {
    transport.respond(Self.url, answer)
  }

  func verify(_ token: String? = nil) async throws {
    let keys = KeySet(
      url: try HTTPURL(Self.url), serverClient: ServerClient(transport: transport), cache: cache,
      now: { self.now })
    try await keys.verify(
      try JWS(compact: try token ?? TokenForge(.es256).token()), allowed: [.es256])
  }

  private static let url = "https://id.test/jwks"
}
