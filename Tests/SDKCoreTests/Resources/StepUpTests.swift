import CoreTestSupport

@testable import SDKCore

@Suite("Fetch that needs another login")
struct StepUpTests {
  private static let url = "https://api.test/v1/x"
  private static let challenge =
    #"Bearer error="insufficient_user_authentication", acr_values="a b", max_age=5"#

  @Test("is not helped by a refresh: the answer is delivered", arguments: [Access.user, .implicit])
  func noRefresh(access: Access) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, Self.refusal)
    let sink = FakeSink()
    let session = try world.session()
    let response = try await session.resources.send(
      ResourceRequest("GET", "/x"), as: access, receiving: .sink(sink))
    #expect(sink.statuses == [401])
    #expect(sink.body == "more")
    #expect(world.transport.lines == ["GET \(Self.url)"])
    let error = try await #require(session.resources.stepUpError(of: response, as: access))
    #expect(error.code == .stepUpRequired)
    #expect(
      error.message == "could not fetch \(Self.url): the server requires another login of the user "
        + "than this one")
    #expect(error.subject == "work")
    #expect(error.remedy == .login(.init(authenticationContexts: "a b", maximumAge: 5)))
  }

  @Test(
    "names the login that meets it",
    arguments: [
      (#"acr_values="$(id)`id`;'x"#, Remedy.Login(authenticationContexts: "$(id)`id`;'x")),
      (#"acr_values="urn:a:2""#, Remedy.Login(authenticationContexts: "urn:a:2")),
      ("max_age=0", Remedy.Login(maximumAge: 0)), ("realm=x", Remedy.Login(isForced: true)),
    ])
  func remedy(parameter: String, login: Remedy.Login) async throws {
    let parameter =
      parameter.hasSuffix("\"") || !parameter.contains("\"") ? parameter : parameter + "\""
    let response = try Self.response(
      "Bearer error=\"insufficient_user_authentication\", \(parameter)")
    let error = try await Self.world().session().resources.stepUpError(of: response, as: .user)
    #expect(error?.remedy == .login(login))
  }

  @Test("is ignored in other responses, from other hosts and for other kinds of access")
  func others() async throws {
    let session = try await Self.world().session()
    let response = try Self.response(Self.challenge)
    #expect(await session.resources.stepUpError(of: response, as: .anonymous) == nil)
    #expect(await session.resources.stepUpError(of: response, as: .unauthenticated) == nil)
    let other = try Self.response(Self.challenge, url: "https://other.test/")
    #expect(await session.resources.stepUpError(of: other, as: .user) == nil)
    let narrow = #"Bearer error="insufficient_scope", scope="admin""#
    for (url, scope) in [(Self.url, "admin"), ("https://other.test/", nil)] as [(String, String?)] {
      let refusal = try Self.response(narrow, status: 403, url: url)
      #expect(await session.resources.missingScope(namedBy: refusal, as: .user)?.scope == scope)
    }
    #expect(try await session.resources.stepUpError(of: Self.response("Bearer"), as: .user) == nil)
  }

  @Test("has no remedy for a token from the environment")
  func injected() async throws {
    let session = try await Self.world().session(injectedToken: "ci")
    let error = try await session.resources.stepUpError(
      of: Self.response(Self.challenge), as: .user)
    #expect(error?.code == .stepUpRequired)
    #expect(error?.remedy == nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var access = Access.user
    var isLoggedIn = true
    var isRenewable = true
    var isInjected = false
    var isRepeatable = true
    let answers: [FakeTransport.Response]
    /// The parameters of the login; `nil` when there is none.
    let login: [String]?
    /// The tokens that the resource saw, and the status that the receiver saw.
    let tokens: [String]
    var status: Int?
    var code: SDKError.Code?
  }

  private static let no = FakeTransport.Response.status(401, "no")
  private static let yes = FakeTransport.Response.status(200, "yes")
  private static let wanted = ["acr_values=a b", "max_age=5"]
  private static let rows: [Row] = [
    Row(
      testDescription: "a stronger login", answers: [refusal, yes], login: wanted,
      tokens: ["a1", "a9"], status: 200),
    Row(
      testDescription: "a login that is not strong enough", answers: [refusal, refusal, yes],
      login: wanted, tokens: ["a1", "a9"], status: 401),
    Row(
      testDescription: "a stronger login after a renewal", answers: [no, refusal, yes],
      login: wanted, tokens: ["a1", "a2", "a9"], status: 200),
    Row(
      testDescription: "nobody is logged in", isLoggedIn: false, answers: [yes], login: [],
      tokens: ["a9"], status: 200),
    Row(
      testDescription: "the login is over", isRenewable: false, answers: [no, yes], login: [],
      tokens: ["a1", "a9"], status: 200),
    Row(
      testDescription: "only one login", isRenewable: false, answers: [no, refusal], login: [],
      tokens: ["a1", "a9"], status: 401),
    Row(
      testDescription: "no login is needed", answers: [yes], login: nil, tokens: ["a1"],
      status: 200),
    Row(
      testDescription: "a token from outside", isInjected: true, answers: [refusal], login: nil,
      tokens: ["ci"], status: 401),
    Row(
      testDescription: "this installation", access: .anonymous, answers: [refusal], login: nil,
      tokens: ["d1"], status: 401),
    Row(
      testDescription: "a body that cannot be read twice", isRepeatable: false,
      answers: [refusal, yes], login: nil, tokens: ["a1"], status: 401),
  ]

  @Test("causes one login if that is allowed", arguments: rows)
  func interactive(row: Row) async throws {
    let world = try await Self.world(isLoggedIn: row.isLoggedIn, isRenewable: row.isRenewable)
    try await world.store("d1", in: .anonymous)
    world.transport.respond(Self.url, row.answers)
    let logins = Mutex<[[String]]>([])
    let sink = FakeSink()
    let body = HTTPBody.stream(FakeSource("data", isRepeatable: row.isRepeatable), length: 4)
    let session = try world.session(injectedToken: row.isInjected ? "ci" : nil)
    let response = try await session.resources.send(
      ResourceRequest("POST", "/x", body: body), as: row.access, receiving: .sink(sink)
    ) { (options) throws(SDKError) in
      logins.withLock { $0.append(options.parameters.map { "\($0.name)=\($0.value)" }) }
      do { try await world.store("a9") } catch { throw SDKError(.store, "\(error)") }
    }
    #expect(response.status == row.status)
    #expect(sink.statuses == [row.status])
    #expect(logins.withLock { $0 } == row.login.map { [$0] } ?? [])
    let sent = world.transport.sent.filter { $0.url == Self.url }
    #expect(sent.map { $0.fields["Authorization"] } == row.tokens.map { "Bearer \($0)" })
    #expect(sent.allSatisfy { $0.body == "data" })
  }

  @Test("asks for a login like the one before, and is not sent again as another user or weaker")
  func likeBefore() async throws {
    let rows: [(subject: String, type: String, message: String?)] = [
      ("alice", "DPoP", nil),
      ("bob", "DPoP", "another user has logged in since it was made"),
      ("alice", "Bearer", "the new token is bound to no key"),
    ]
    for row in rows {
      let world = try await Self.world()
      try await Self.store("a1", of: "alice", type: "DPoP", in: world)
      world.transport.respond(Self.url, [Self.refusal, Self.yes])
      let session = try world.session()
      _ = try await session.server.dpop.proof(at: try await session.server.metadata())
      let seen = Mutex(LoginOptions())
      let send = { () async throws in
        _ = try await session.resources.send(
          ResourceRequest("GET", "/x"), as: .user, receiving: .collect(limit: 100)
        ) { (options) throws(SDKError) in
          seen.withLock { $0 = options }
          do {
            try await Self.store("a9", of: row.subject, type: row.type, in: world)
          } catch { throw SDKError(.store, "\(error)") }
        }
      }
      if let message = row.message {
        await expect(.untrusted, "could not send the request: \(message)", send)
      } else {
        try await send()
      }
      let options = seen.withLock { $0 }
      #expect(options.bindsTokens == true)
      #expect(options.scope == "a")
      #expect(options.parameters.values(of: "resource") == ["https://r.test"])
      let sent = world.transport.sent.filter { $0.url == Self.url }
      #expect(sent.count == (row.message == nil ? 2 : 1))
    }
  }

  @Test("asks for a login like the one before")
  func hintLikeBefore() async throws {
    let world = try await Self.world()
    try world.set("scope", to: "a b")
    try await Self.store("a1", of: "alice", type: "DPoP", in: world)
    let error = try await world.session().resources.stepUpError(
      of: try Self.response(Self.challenge), as: .user)
    var login = Remedy.Login(
      scope: "a", authenticationContexts: "a b", maximumAge: 5, bindsTokens: true)
    login.resources = ["https://r.test"]
    #expect(error?.remedy == .login(login))
    let options = LoginOptions(login)
    #expect(options.scope == "a")
    #expect(options.bindsTokens == true)
    #expect(
      options.parameters.map { "\($0.name)=\($0.value)" }
        == ["acr_values=a b", "max_age=5", "resource=https://r.test"])
  }

  @Test("fails as the login does")
  func loginFails() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, Self.refusal)
    let sink = FakeSink()
    await expect(.denied, "no") {
      _ = try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .user, receiving: .sink(sink)
      ) { (_) throws(SDKError) in throw SDKError(.denied, "no") }
    }
    #expect(sink.statuses.isEmpty)
  }

  // MARK: The world

  private static func store(
    _ accessToken: String, of subject: String, type: String, in world: World
  ) async throws {
    let key = try SigningKey.generate(.es256)
    let idToken = try key.sign(header: [:], payload: Array(#"{"sub":"\#(subject)"}"#.utf8))
    var tokens = TokenSet(
      accessToken: accessToken, tokenType: type, expires: World.now + 3600, scope: "a",
      refreshToken: "r", obtained: World.now
    ).with(idToken: idToken)
    tokens.resources = ["https://r.test"]
    try await world.credentials(.user).save(tokens)
  }

  private static var refusal: FakeTransport.Response {
    FakeTransport.Response(
      status: 401, fields: [HTTPField(known: "WWW-Authenticate", challenge)], body: "more")
  }

  private static func response(
    _ challenge: String, status: Int = 401, url: String = Self.url
  ) throws -> HTTPResponse {
    HTTPResponse(
      status: status, fields: [try HTTPField("WWW-Authenticate", challenge)], url: try HTTPURL(url))
  }

  private static func world(isLoggedIn: Bool = true, isRenewable: Bool = true) async throws -> World
  {
    let world = try await World.registered()
    if isLoggedIn {
      try await world.store("a1", refreshToken: isRenewable ? "r" : nil)
      try await world.store("a1", in: .implicit)
    }
    world.grant("a2", ["expires_in": 60])
    return world
  }
}
