import CoreTestSupport

@testable import SDKCore

@Suite("Credential store and token sets")
struct CredentialStoreTests {
  @Test("writes tokens and reads the same ones, in each slot")
  func roundTrip() async throws {
    let world = try World()
    var full = TokenSet(
      accessToken: "a", expires: 5, scope: "s", refreshToken: "r", obtained: 1
    ).with(idToken: "i")
    full.resources = ["https://r.test"]
    full.loginScope = "s t"
    full.authorizationDetails = [["type": "payment"]]
    full.encryptsPayload = true
    let sparse = TokenSet(
      accessToken: "b", expires: nil, scope: nil, refreshToken: nil, obtained: 2)
    let user = world.credentials(.user)
    let anonymous = world.credentials(.anonymous)
    try await user.save(full)
    #expect(try await anonymous.load() == nil)
    try await anonymous.save(sparse)
    #expect(try await user.load()?.tokens == full)
    #expect(try await anonymous.load()?.tokens == sparse)
    // What the new tokens lack goes from the file.
    try await user.save(sparse)
    #expect(try await user.load()?.tokens == sparse)
    try await user.remove()
    #expect(try await user.load() == nil)
    #expect(try await anonymous.load()?.tokens == sparse)
  }

  @Test(
    "is refused without an access token or its time",
    arguments: [
      ("{}", "'accessToken' is missing"),
      (
        #"{"accessToken":"a","obtained":1,"expires":-9223372036854775808}"#,
        "'expires' is a number and should be a time"
      ),
      (
        #"{"accessToken":"a","obtained":1,"expires":1e30}"#,
        "'expires' is a number and should be a time"
      ),
    ])
  func malformed(members: String, cause: String) async throws {
    var document = try JSON(parsing: members)
    document["version"] = 2
    document["issuer"] = "https://id.test"
    let text = document.serialized()
    let world = try World()
    try world.folder.write(text, to: World.userFile)
    await expect(
      .invalidConfiguration,
      "could not read '\(world.folder.path)/\(World.userFile)': \(cause)"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(try world.folder.text(of: World.userFile) == text)
  }

  @Test("ignores tokens of another issuer, and replaces them by new ones")
  func otherIssuer() async throws {
    let world = try World()
    let tokens = try await world.store("a1")
    #expect(try await world.credentials(.user, issuer: "https://other.test").load() == nil)
    #expect(try await world.stored() == tokens)
    try await world.store.change(world.name) { (profile) throws(SDKError) in
      try profile.set("issuer", to: "https://other.test")
    }
    #expect(try await world.session().tokens.tokens(in: .user) == nil)
    try await world.credentials(.user, issuer: "https://other.test").save(tokens)
    #expect(try await world.session().tokens.tokens(in: .user) == tokens)
    #expect(try await world.stored() == nil)
  }

  private static let old = TokenSet(
    accessToken: "a0", expires: 5, scope: "s0", refreshToken: "r0", obtained: 1
  ).with(idToken: "i0")

  @Test(
    "keeps values of the old tokens that a response omits",
    arguments: [
      (
        "everything is new but the ID token, which was not verified",
        ["expires_in": 60, "scope": "s1", "refresh_token": "r1", "id_token": "i1"], "s2", old,
        TokenSet(accessToken: "a1", expires: 160, scope: "s1", refreshToken: "r1", obtained: 100)
          .with(idToken: "i0")
      ),
      (
        "nothing but the token", [:], "s2", old,
        TokenSet(accessToken: "a1", expires: nil, scope: "s0", refreshToken: "r0", obtained: 100)
          .with(idToken: "i0")
      ),
      (
        "a first login", ["expires_in": 0], "s2", nil,
        TokenSet(accessToken: "a1", expires: 100, scope: "s2", refreshToken: nil, obtained: 100)
      ),
      (
        "empty members are absent", ["scope": "", "refresh_token": "", "id_token": .null], nil, old,
        TokenSet(accessToken: "a1", expires: nil, scope: "s0", refreshToken: "r0", obtained: 100)
          .with(idToken: "i0")
      ),
    ] as [(String, JSONObject, String?, TokenSet?, TokenSet)])
  func merge(
    name: String, answer: JSONObject, requested: String?, old: TokenSet?, expected: TokenSet
  ) throws {
    let answer = answer.merging(
      ["access_token": "a1", "token_type": "bearer"], uniquingKeysWith: { $1 })
    let tokens = TokenSet(
      try TokenResponse(answer), requestedScope: requested, replacing: old, at: 100)
    #expect(tokens == expected)
    #expect(tokens.tokenType == "Bearer")
  }

  @Test("keeps authorization details until a response has others")
  func details() throws {
    var old = Self.old
    old.authorizationDetails = [["type": "a"]]
    var answer: JSONObject = ["access_token": "a1", "token_type": "bearer"]
    let kept = TokenSet(try TokenResponse(answer), replacing: old, at: 100)
    #expect(kept.authorizationDetails == [["type": "a"]])
    answer["authorization_details"] = [["type": "b"]]
    let told = TokenSet(try TokenResponse(answer), replacing: old, at: 100)
    #expect(told.authorizationDetails == [["type": "b"]])
  }

  @Test("requires encryption of resources once a response has required it")
  func payloadEncryption() throws {
    var answer: JSONObject = ["access_token": "a1", "token_type": "bearer"]
    #expect(try !TokenSet(TokenResponse(answer), replacing: Self.old, at: 100).encryptsPayload)
    answer["payload_encryption"] = true
    let told = TokenSet(try TokenResponse(answer), replacing: Self.old, at: 100)
    #expect(told.encryptsPayload)
    answer["payload_encryption"] = nil
    #expect(try TokenSet(TokenResponse(answer), replacing: told, at: 200).encryptsPayload)
  }

  @Test(
    "is valid if it lives longer than the requested time",
    arguments: [
      (131, 30, true), (130, 30, false), (100, 0, false), (101, 0, true), (99, 0, false),
      (nil, 1 << 40, true), (130, 29, true), (nil, .max, true), (130, .max, false),
      (130, .min, true), (99, .min, false), (253_402_300_799, .max - 50, false),
    ] as [(Timestamp?, Int64, Bool)])
  func validity(expires: Timestamp?, minimum: Int64, isValid: Bool) {
    let tokens = TokenSet(
      accessToken: "a", expires: expires, scope: nil, refreshToken: nil, obtained: 0)
    #expect(tokens.isValid(at: 100, minimumLifetime: minimum) == isValid)
  }

  @Test("does not show its secrets")
  func redacted() {
    #expect("\(Self.old)" == "TokenSet(‹redacted›)")
    #expect(String(reflecting: Self.old) == "TokenSet(‹redacted›)")
    for secret in [Self.old, SessionCookies([])] as [any Redacted] {
      #expect(Mirror(reflecting: secret).children.isEmpty)
    }
  }
}
