import CoreTestSupport

@testable import PageLogin
@testable import SDKCore

@Suite("A login on the provider's pages")
struct FormLoginTests {
  static let page = "https://id.test/login"

  static func world(_ settings: JSONObject = [:]) throws -> World {
    try World(settings.merging(["form.url": .string(page)]) { left, _ in left })
  }

  static let alice = FormCredentials(user: "alice", password: "wonder land")

  static func logIn(
    _ world: World, _ credentials: FormCredentials = alice
  ) async throws -> AuthorizationProvider {
    try await world.session().login.byForm(credentials)
  }

  static func provider(_ world: World) async throws -> AuthorizationProvider? {
    try await world.session().tokens.provider(in: .user)
  }

  private static func sent(_ request: FakeTransport.Sent?) -> [String] {
    FormParameters(encoded: request?.body ?? "")?.map { "\($0.name)=\($0.value)" } ?? []
  }

  @Test("sends the form with its hidden fields and cookies, and stores the cookies as they are")
  func cookies() async throws {
    let world = try Self.world()
    world.transport.respond(
      Self.page, .loginForm(cookies: ["pre=1; Path=/"]),
      .page(
        "", cookies: ["sid=s1; Path=/; Secure; HttpOnly; Max-Age=60", "pre=; Max-Age=0; Path=/"],
        status: 303, location: "/home"))
    world.transport.respond("https://id.test/home", .page("<form><input name=search></form>"))
    let provider = try await Self.logIn(world)
    #expect(
      world.transport.lines == [
        "GET \(Self.page)", "POST \(Self.page)", "GET https://id.test/home",
      ])
    let post = world.transport.sent[1]
    #expect(Self.sent(post) == ["csrf=c&1", "user=alice", "pw=wonder land"])
    #expect(post.fields["Cookie"] == "pre=1")
    #expect(post.fields["Origin"] == "https://id.test")
    #expect(post.fields["Referer"] == Self.page)
    #expect(post.fields["Accept"] == "text/html,application/xhtml+xml,*/*;q=0.8")
    #expect(world.transport.sent[2].fields["Cookie"] == "sid=s1")
    let cookie = try #require(
      Cookie(
        name: "sid", value: "s1", domain: "id.test", isHostOnly: true, expires: World.now + 60))
    var session = SessionCookies([cookie], obtained: World.now)
    session.user = "alice"
    #expect(provider == .cookies(session))
    #expect(try await Self.provider(world) == provider)
  }

  @Test("goes on for as many steps as the pages have, and asks what it does not know")
  func steps() async throws {
    let world = try Self.world(["form.cookies": "sid"])
    let (second, third) = ("https://id.test/2", "https://id.test/3")
    world.transport.respond(
      Self.page,
      .page("<form method=post action=/2><input name=who><input name=x type=hidden></form>"))
    world.transport.respond(
      second,
      .page(
        "<form method=post action=/3><input type=hidden name=k value=v><input type=password name=pw></form>"
      ))
    world.transport.respond(
      third,
      .page(
        "<form method=post action=/4><label for=c>Code</label><input id=c name=otp autocomplete=one-time-code></form>",
        cookies: ["early=1"]))
    world.transport.respond(
      "https://id.test/4", .page("<form method=post action=/out></form>", cookies: ["sid=1"]))
    let asked = Asked()
    let credentials = FormCredentials(ask: { question in
      asked.note(question)
      return question.isPassword ? "pw" : question.prompt == "Code" ? "123" : "alice"
    })
    let provider = try await Self.logIn(world, credentials)
    #expect(asked.prompts == ["who", "pw!", "Code!"])
    #expect(
      world.transport.sent.map { Self.sent($0) } == [
        [], ["who=alice", "x="], ["k=v", "pw=pw"], ["otp=123"],
      ])
    #expect(provider.cookieNames == ["sid"])
  }

  @Test(
    "fails if the server does not accept what was sent",
    arguments: [
      (.page("no", status: 401), "it returned 401"), (.loginForm(), "the page asks for them again"),
      (.loginForm(cookies: ["sid=2"]), "the page asks for them again"),
      (.page("welcome?"), "it set no cookie"),
      (.page("welcome", cookies: ["sid=1; Domain=com"]), "it set no cookie"),
      (.json(#"{"error":"bad"}"#), "its response reports an error"),
    ] as [(FakeTransport.Response, String)])
  func refused(answer: FakeTransport.Response, cause: String) async throws {
    let world = try Self.world()
    world.answerLogin(answer)
    _ = await expect(
      .refused,
      "could not log in by form: id.test did not accept the user name and password: \(cause)"
    ) { _ = try await Self.logIn(world) }
    #expect(try await Self.provider(world) == nil)
  }

  @Test(
    "takes a token that is no JWT as the result, if no cookie is",
    arguments: ["token", "access_token"])
  func opaque(member: String) async throws {
    let world = try Self.world()
    let token = "0123456789abcdef-opaque"
    world.answerLogin(.json(#"{"\#(member)":"\#(token)"}"#))
    let provider = try await Self.logIn(world)
    #expect(provider.tokens?.accessToken == token)
    #expect(provider.isOutsideOAuth && provider.expires == nil)
    #expect(try await Self.provider(world) == provider)
    // Beside a new cookie, it may be something else.
    let other = try Self.world()
    other.answerLogin(
      FakeTransport.Response(
        fields: [HTTPField(known: "Set-Cookie", "sid=1; Path=/")],
        body: #"{"\#(member)":"\#(token)"}"#))
    #expect(try await Self.logIn(other).cookieNames == ["sid"])
    // Nobody's secret is that short.
    let short = try Self.world()
    short.answerLogin(.json(#"{"\#(member)":"no"}"#))
    await #expect(throws: SDKError.self) { try await Self.logIn(short) }
  }

  @Test("does not take a cookie from before the password for a session")
  func fixation() async throws {
    let world = try Self.world()
    world.transport.respond(
      Self.page, .loginForm(cookies: ["sid=1"]), .page("hello", cookies: ["sid=1"]))
    _ = await expect(
      .refused,
      "could not log in by form: id.test did not accept the user name and password: "
        + "it set no new cookie"
    ) { _ = try await Self.logIn(world) }
  }

  @Test(
    "decides as the profile says",
    arguments: [
      ("form.cookies", "a", ["a"]), ("form.cookies", "a z", nil),
      ("form.successURL", "https://id.test/home", ["a", "b"]),
      ("form.successURL", "https://id.test/other", nil),
    ] as [(String, JSON, [String]?)])
  func rules(key: String, value: JSON, names: [String]?) async throws {
    let world = try Self.world([key: value])
    world.answerLogin(.page("", cookies: ["a=1", "b=1"], status: 302, location: "/home?x"))
    world.transport.respond("https://id.test/home?x", .page("hello"))
    let provider = try? await Self.logIn(world)
    #expect(provider?.cookieNames == names)
  }

  @Test(
    "sends a password only to hosts of the login",
    arguments: [
      "<form method=post action=https://evil.test/><input type=password name=p></form>",
      "<form action=/login><input type=password name=p></form>",
    ])
  func hosts(form: String) async throws {
    let world = try Self.world()
    world.transport.respond(Self.page, .page(form))
    // Nobody is asked before.
    await expect(.policy) { _ = try await Self.logIn(world, FormCredentials()) }
    #expect(world.transport.sent.count == 1)
  }

  @Test("does not follow a redirect to another host: that it leads there may be the success")
  func foreignRedirect() async throws {
    let world = try Self.world(["form.successURL": "https://app.test/"])
    world.answerLogin(
      .page("", cookies: ["sid=1"], status: 302, location: "https://app.test/start"))
    #expect(try await Self.logIn(world).cookieNames == ["sid"])
    #expect(world.transport.sent.count == 2)
  }

  @Test("needs no page if the profile names the fields")
  func direct() async throws {
    let world = try Self.world([
      "form.page": false, "form.userField": "isiwebuserid", "form.passwordField": "isiwebpasswd",
      "form.parameters": "app=1",
    ])
    var answer = FakeTransport.Response.json(#"{"status":"succeeded","extId":"42","error":0}"#)
    answer.fields.append(HTTPField(known: "Set-Cookie", "Session_Nevis=n; Path=/; Secure"))
    world.transport.respond(Self.page, answer)
    #expect(try await Self.logIn(world).cookieNames == ["Session_Nevis"])
    #expect(
      world.transport.sent.map { Self.sent($0) } == [
        ["app=1", "isiwebuserid=alice", "isiwebpasswd=wonder land"]
      ])
  }

  @Test("knows the field of the name by its purpose, and answers that were given")
  func purpose() async throws {
    let world = try Self.world(["form.cookies": "sid", "form.parameters": "key=k1"])
    world.transport.respond(
      Self.page,
      .page(
        "<form method=post action=/2><input name=u autocomplete=username><input name=company value=c>"
          + "<input type=password name=pw><input type=password name=key>"
          + "<input name=otp autocomplete=one-time-code></form>"))
    world.transport.respond("https://id.test/2", .page("in", cookies: ["sid=1"]))
    let asked = Asked()
    let credentials = FormCredentials(
      user: "alice", password: "wonder", answers: ["otp": "123"],
      ask: { question in
        asked.note(question)
        return "asked"
      })
    _ = try await Self.logIn(world, credentials)
    #expect(asked.prompts.isEmpty)
    #expect(
      Self.sent(world.transport.sent.last).sorted() == [
        "company=c", "key=k1", "otp=123", "pw=wonder", "u=alice",
      ])
  }

  @Test("asks for the fields without a page")
  func directWithoutFields() async throws {
    let world = try Self.world(["form.page": false])
    _ = await expect(
      .invalidConfiguration,
      "could not log in by form: without a page, form.userField and form.passwordField are needed"
    ) { _ = try await Self.logIn(world) }
  }

  /// A JWT with the claim `exp`, unsigned in effect: nobody here can check it.
  static let jwt = "eyJhbGciOiJFUzI1NiJ9.eyJleHAiOjE4MDAwMDAwNjB9.c2ln"

  @Test("finds the JWT where the profile says, or in the usual places")
  func token() async throws {
    let places: [(JSONObject, FakeTransport.Response)] = [
      ([:], .json(#"{"jwt":"\#(Self.jwt)"}"#)),
      ([:], .init(fields: [HTTPField(known: "Authorization", "Bearer \(Self.jwt)")])),
      (["form.jwt": "header:X-Token"], .init(fields: [HTTPField(known: "X-Token", Self.jwt)])),
      (["form.jwt": "member:a.b"], .json(#"{"a":{"b":"\#(Self.jwt)"}}"#)),
      (
        ["form.jwt": "cookie:auth", "form.provider": "jwt"],
        .page("", cookies: ["auth=\(Self.jwt)"])
      ),
    ]
    for (settings, answer) in places {
      let world = try Self.world(settings)
      world.answerLogin(answer)
      _ = try await Self.logIn(world)
      let provider = try #require(try await Self.provider(world))
      #expect(provider.name == "jwt")
      #expect(provider.tokens?.accessToken == Self.jwt)
      #expect(provider.expires == World.now + 60)
    }
  }

  @Test("keeps cookies if the profile says so, also where there is a JWT")
  func preferred() async throws {
    let world = try Self.world(["form.provider": "cookies"])
    var answer = FakeTransport.Response.json(#"{"token":"\#(Self.jwt)"}"#)
    answer.fields.append(HTTPField(known: "Set-Cookie", "sid=1"))
    world.answerLogin(answer)
    #expect(try await Self.logIn(world).cookieNames == ["sid"])
  }

  @Test("replaces all that the slot held, whatever it was")
  func replaced() async throws {
    let world = try Self.world()
    try await world.store("a1")
    try await world.store("i1", in: .implicit)
    world.answerLogin(.page("hello", cookies: ["sid=1"]))
    _ = try await Self.logIn(world)
    let text = try world.folder.text(of: "state/profiles/work/credentials/user.json")
    #expect(!text.contains("a1") && !text.contains("refresh-1"))
    #expect(try await world.stored(.implicit) == nil)
    try await world.store("a2")
    #expect(try await Self.provider(world)?.name == "bearer")
    let after = try world.folder.text(of: "state/profiles/work/credentials/user.json")
    #expect(!after.contains("sid"))
  }

  @Test("needs the address of the page")
  func unconfigured() async throws {
    let world = try World()
    let error = await expect(
      .invalidConfiguration, "could not log in by form: the profile has no form.url"
    ) { _ = try await Self.logIn(world) }
    #expect(error?.remedy == .setProfile(key: "form.url", value: nil))
  }
}

/// What a person was asked; secrets are marked.
private final class Asked: Sendable {
  private let asked = FakeNotes()
  var prompts: [String] { asked.all }
  func note(_ question: FormCredentials.Question) {
    asked.add(question.prompt + (question.isSecret ? "!" : ""))
  }
}
