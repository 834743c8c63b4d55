import CoreTestSupport

@testable import SDKCore

/// What a slot, a stored session and a returned credential do not take.
@Suite("Credentials that cannot be used")
struct UnusableCredentialTests {
  private static func cookie(_ domain: String, expires: Timestamp?) throws -> Cookie {
    try #require(
      Cookie(name: "s", value: "1", domain: domain, isHostOnly: true, expires: expires))
  }

  @Test("are cookies where a token is needed, whose user is known")
  func cookies() async throws {
    let world = try World()
    var session = SessionCookies([], obtained: World.now)
    session.user = "alice"
    try await world.credentials(.user).save(.cookies(session))
    let slots = try world.session().tokens.slots
    let message = "the login of 'work' is a set of cookies, not a token"
    await expect(.unsupported, message) { _ = try await slots.stored(in: .user) }
    await expect(.unsupported, message) { _ = try await slots.tokens(in: .user) }
    #expect(await StoredTokens(.user, in: world.credentials(.user))?.userName == "alice")
  }

  @Test("are cookies of another server, and expired ones that nothing renews")
  func unsuitableCookies() async throws {
    let world = try World(["reauthenticate": "none"])
    func save(expires: Timestamp?) async throws {
      let cookie = try Self.cookie("api.test", expires: expires)
      try await world.credentials(.user).save(
        .cookies(SessionCookies([cookie], obtained: World.now)))
    }
    try await save(expires: World.now + 60)
    let tokens = try world.session().tokens
    #expect(try await tokens.cookies(for: HTTPURL("https://api.test/v1"))?.cookies.count == 1)
    #expect(try await tokens.cookies(for: nil)?.cookies.count == 1)
    await expect(.policy, "could not use the cookies: none is for https://b.test/x") {
      _ = try await tokens.cookies(for: HTTPURL("https://b.test/x"))
    }
    await #expect(throws: SDKError.self) {
      try await tokens.cookies(for: nil, TokenDemand(forceNew: true))
    }
    try await save(expires: World.now - 1)
    await #expect(throws: SDKError.self) {
      try await world.session().tokens.cookies(for: HTTPURL("https://api.test/v1"))
    }
  }

  @Test("are texts that are not a JWT where one is needed")
  func jwt() async throws {
    await expect(.malformedResponse, "the token of the login is not a JWT") {
      _ = try AuthorizationProvider(jwt: "a.b", obtained: 0)
    }
    let cookie = try Self.cookie("a.test", expires: nil)
    func missing(_ kind: String?, _ cookies: [Cookie]) -> String? {
      ReturnedCredential(kind: kind, place: nil, names: [], responses: [], cookies: cookies).missing
    }
    #expect(missing("jwt", [cookie]) == "its response has no JWT")
    #expect(missing(nil, [cookie]) == nil)
    #expect(missing("cookies", []) == "it set no cookie")
  }

  @Test("are an ID token that no login brought, and that of a token from outside")
  func idToken() async throws {
    let world = try World()
    try await world.credentials(.user).save(
      TokenSet(accessToken: "a", expires: nil, scope: nil, refreshToken: nil, obtained: 0))
    let action = "could not use the ID token"
    await expect(.notAuthenticated, "\(action): the login of 'work' brought no ID token") {
      _ = try await world.session().tokens.idToken()
    }
    let injected = try world.session(injectedToken: "ci").tokens
    await expect(.notAuthenticated, "\(action): the environment has no ID token") {
      _ = try await injected.idToken()
    }
  }

  @Test("are tokens that took the place of those that are meant, before or under the lock")
  func changed() async throws {
    let world = try World()
    try await world.store("u1")
    let slots = try world.session().tokens.slots
    for asked in 0...2 {
      let count = Mutex(0)
      let isChanged = try await slots.change(.user) { _ in
        count.withLock {
          $0 += 1; return $0 <= asked
        }
      } _: {
        $0.refreshToken = "changed"
      }
      #expect(isChanged == (asked == 2))
      #expect(try await world.stored()?.refreshToken == (asked == 2 ? "changed" : "refresh-1"))
    }
  }
}

@Suite("Derived credentials")
struct DerivedCredentialTests {
  private static let credential = DerivedCredential(["k": "v"], expires: World.now + 60)
  private static let directory = "state/profiles/work/credentials/derived"

  @Test("are not those of another request, whose file has the name")
  func other() throws {
    let world = try World()
    let store = DerivedCredentials(try world.session().environment)
    try store.save(Self.credential, for: ["a"])
    #expect(store.load(["a"]) == Self.credential)
    let name = try #require(try world.folder.files().keys.first { $0.hasPrefix(Self.directory) })
    var document = try JSON(parsing: try world.folder.text(of: name))
    document["request"] = ["b"]
    try world.folder.write(document.serialized(), to: name)
    #expect(store.load(["a"]) == nil)
  }

  @Test("are not stored without an end, nor for a profile whose secrets are not in files")
  func unstored() throws {
    let world = try World()
    let store = DerivedCredentials(try world.session().environment)
    try store.save(DerivedCredential(["k": "v"], expires: nil), for: ["a"])
    try world.folder.write(
      #"{"version":2,"place":"helper:none","id":"x"}"#, to: "state/profiles/work/place.json")
    #expect(try store.mark() == nil)
    #expect(!world.folder.exists(Self.directory))
  }

  @Test("are not stored if a login or a logout came while they were obtained")
  func erasedMeanwhile() async throws {
    let world = try World()
    let session = try world.session()
    let tokens = session.tokens
    for isErased in [false, true] {
      let obtained = try await tokens.derived(for: ["a"], TokenDemand(forceNew: true)) {
        () async throws(SDKError) in
        if isErased { _ = try await session.login.logOut(.user, isLocal: true) }
        return Self.credential
      }
      #expect(obtained == Self.credential)
      #expect((tokens.storedDerivation(for: ["a"], TokenDemand()) == nil) == isErased)
    }
  }

  @Test("are erased by a logout of slots that hold nothing")
  func ofEmptySlots() async throws {
    let session = try World().session()
    try DerivedCredentials(session.environment).save(Self.credential, for: ["a"])
    #expect(try await session.login.logOut(.anonymous, isLocal: false).isEmpty)
    #expect(session.tokens.storedDerivation(for: ["a"], TokenDemand()) == nil)
  }

  @Test("are obtained once if another process was faster")
  func faster() async throws {
    let world = try World()
    let session = try world.session()
    let lock = try await ProfileLock.acquire(.derived, of: world.name, at: world.location)
    let task = Task {
      try await session.tokens.derived(for: ["a"], TokenDemand()) {
        () async throws(SDKError) in DerivedCredential(["k": "own"], expires: World.now + 60)
      }
    }
    try await Task.sleep(for: .milliseconds(60))
    try DerivedCredentials(session.environment).save(Self.credential, for: ["a"])
    lock.release()
    #expect(try await task.value == Self.credential)
    // An expired one is no result, whoever stored it.
    world.now = world.now + 60
    let new = DerivedCredential(["k": "own"], expires: world.now + 60)
    let obtained = try await session.tokens.derived(for: ["a"], TokenDemand()) {
      () async throws(SDKError) in new
    }
    #expect(obtained == new)
  }
}
