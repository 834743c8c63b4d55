import CoreTestSupport
import Foundation

@testable import PageLogin
@testable import SDKCore

@Suite("A login that is not OAuth, at a resource server")
struct ReauthenticationTests {
  private static let url = "https://api.test/v1/x"
  private static let page = "https://api.test/login"

  /// A profile whose cookies come from the resource server, with a password file.
  private static func world(_ settings: JSONObject = [:], file: Bool = true) throws -> World {
    let world = try World(
      settings.merging(["form.url": .string(page), "form.user": "alice"]) { left, _ in left })
    if file {
      let path = try world.folder.write("wonder\n", to: "password", mode: 0o600)
      var profile = try world.store.profile(world.name)
      try profile.set("form.passwordFile", to: .string(path))
      try world.store.save(profile)
    }
    return world
  }

  private static func store(
    _ world: World, _ value: String, _ attributes: String = "; Path=/", at host: String = "api.test"
  ) async throws {
    let cookie = try #require(
      Cookie(
        setCookie: "sid=\(value)\(attributes)", from: try HTTPURL("https://\(host)/"),
        at: World.now, isPublicSuffix: { _ in false }))
    try await world.session().login.store(.cookies(SessionCookies([cookie], obtained: World.now)))
  }

  /// A world whose user has the cookie `sid=s1`.
  private static func loggedIn(
    _ settings: JSONObject = [:], file: Bool = true
  ) async throws -> World {
    let world = try world(settings, file: file)
    try await store(world, "s1")
    return world
  }

  private static func cookies(_ world: World) -> [String] {
    world.transport.sent.filter { $0.url == url }.map { $0.fields["Cookie"] ?? "none" }
  }

  private static func answerLogin(_ world: World, _ value: String = "s2") {
    world.transport.respond(
      page, .page("<form method=post><input type=password name=p><input name=u></form>"),
      .page("hi", cookies: ["sid=\(value); Path=/"]))
  }

  private static func send(_ world: World, _ path: String = "/x") async throws -> ResourceResponse {
    try await UserClient(world.session()).send(ResourceRequest("GET", path))
  }

  @Test("gets the cookies with each request, and changes none of them")
  func sent() async throws {
    let world = try await Self.loggedIn()
    world.transport.respond(Self.url, .page("ok", cookies: ["sid=other; Path=/", "new=1; Path=/"]))
    for _ in 0..<2 { #expect(try await Self.send(world).status == 200) }
    #expect(Self.cookies(world) == ["sid=s1", "sid=s1"])
    #expect(world.transport.sent.allSatisfy { !$0.fields.contains("Authorization") })
  }

  @Test(
    "that answers 401, or leads to the page of the login, gets the cookies of a new login, once",
    arguments: [(.status(401, "no"), 200), (.status(401, "no"), 401)]
      + [301, 302, 303, 307, 308].map { (.redirect($0, to: "/login?next=%2Fv1%2Fx"), 200) }
      as [(FakeTransport.Response, Int)])
  func again(refusal: FakeTransport.Response, second: Int) async throws {
    let world = try await Self.loggedIn()
    Self.answerLogin(world)
    world.transport.respond(Self.url, refusal, .status(second, "then"))
    #expect(try await Self.send(world).status == second)
    #expect(Self.cookies(world) == ["sid=s1", "sid=s2"])
    #expect(
      world.transport.lines
        == ["GET \(Self.url)", "GET \(Self.page)", "POST \(Self.page)", "GET \(Self.url)"])
    #expect(world.transport.sent[2].body.contains("p=wonder"))
  }

  @Test("that leads to the page of the login by way of other pages and hosts refuses them too")
  func redirectedBySteps() async throws {
    let world = try await Self.loggedIn()
    Self.answerLogin(world)
    let other = "https://sso.test/authorize"
    world.transport.respond(Self.url, .redirect(302, to: other), .status(200, "then"))
    world.transport.respond(other, .redirect(302, to: Self.page))
    #expect(try await Self.send(world).status == 200)
    #expect(Self.cookies(world) == ["sid=s1", "sid=s2"])
    #expect(world.transport.sent.first { $0.url == other }?.fields["Cookie"] == nil)
  }

  @Test("that leads there again is an error, not the page")
  func redirectedTwice() async throws {
    let world = try await Self.loggedIn()
    Self.answerLogin(world)
    world.transport.respond(Self.url, .redirect(302, to: "/login"))
    let error = await expect(
      .sessionExpired,
      "could not use the login of 'work': the server leads to the page of the login"
    ) { _ = try await Self.send(world) }
    #expect(error?.remedy == .login(.init(by: .form)))
    #expect(Self.cookies(world) == ["sid=s1", "sid=s2"])
  }

  @Test("may lead to that page if nothing follows a refusal, or if it was asked for")
  func pageAsAnyOther() async throws {
    for (setting, path) in [("none", "/x"), ("form", "/../login?a")] {
      let world = try Self.world(["reauthenticate": .string(setting)])
      try world.set(
        "resourceURL", to: setting == "none" ? "https://api.test/v1" : "https://api.test")
      try await Self.store(world, "s1")
      world.transport.respond(
        setting == "none" ? Self.url : "https://api.test/login?a",
        .redirect(302, to: "/login"))
      world.transport.respond(Self.page, .status(200, "page"))
      #expect(try await Self.send(world, path).status == 200)
    }
  }

  @Test(
    "that sends the page of the login with 200 refuses the cookies, if the profile has its text")
  func pageInPlace() async throws {
    let login = FakeTransport.Response.page("<p>Hello</p><form id=\"kc-form-login\" method=post>")
    for (settings, expected) in [
      (["form.pageText": "id=\"kc-form-login\""], ["sid=s1", "sid=s2"]),
      (["form.pageText": "another text"], ["sid=s1"]), ([:], ["sid=s1"]),
    ] as [(JSONObject, [String])] {
      for isStreamed in [false, true] {
        let world = try await Self.loggedIn(settings)
        Self.answerLogin(world)
        world.transport.respond(Self.url, login, .status(200, "then"))
        let sink = FakeSink()
        let response = try await world.session().resources.send(
          ResourceRequest("GET", "/x"), as: .user,
          receiving: isStreamed ? .sink(sink) : .collect(limit: 1 << 20))
        #expect(Self.cookies(world) == expected)
        let body = isStreamed ? sink.body : String(decoding: response.body, as: UTF8.self)
        #expect(
          body == (expected.count == 2 ? "then" : String(decoding: login.body, as: UTF8.self)))
        #expect(!isStreamed || sink.statuses == [200])
      }
    }
  }

  @Test("that refuses what cannot be sent again leads to no login", arguments: [nil, "form"])
  func notRepeatable(reauthenticate: String?) async throws {
    let world = try await Self.loggedIn(
      reauthenticate.map { ["reauthenticate": .string($0)] } ?? [:])
    if reauthenticate != nil { try await world.store("a1", refreshToken: "r1") }
    Self.answerLogin(world)
    world.transport.respond(Self.url, .status(401))
    let body = HTTPBody.stream(FakeSource("data", isRepeatable: false), length: nil)
    let request = ResourceRequest("POST", "/x", body: body)
    #expect(try await UserClient(world.session()).send(request).status == 401)
    #expect(world.transport.lines == ["POST \(Self.url)"])
  }

  @Test("that sends the page of the login again, or another page, is told as it is")
  func pageAgain() async throws {
    let settings: JSONObject = ["form.pageText": "kc-form"]
    let world = try await Self.loggedIn(settings)
    Self.answerLogin(world)
    world.transport.respond(Self.url, .page("<form id=kc-form>"))
    await expect(
      .sessionExpired,
      "could not use the login of 'work': the server leads to the page of the login"
    ) { _ = try await Self.send(world) }
    #expect(Self.cookies(world) == ["sid=s1", "sid=s2"])
    // Not HTML, an error, or the text only after 64 KiB.
    let late = String(repeating: "x", count: 70_000) + "kc-form"
    for response in [
      FakeTransport.Response.other(200, "text/plain", "kc-form"),
      .page("kc-form", status: 404), .page(late),
    ] {
      let world = try await Self.loggedIn(settings)
      world.transport.respond(Self.url, response)
      let sink = FakeSink()
      _ = try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .user, receiving: .sink(sink))
      #expect(sink.body == String(decoding: response.body, as: UTF8.self))
      #expect(Self.cookies(world) == ["sid=s1"])
    }
  }

  @Test("gets the cookies that another process has obtained meanwhile")
  func meanwhile() async throws {
    let world = try await Self.loggedIn()
    var answer = FakeTransport.Response.status(401)
    let other = CredentialStore(
      ProfileSecrets(location: world.location, profile: world.name), .user,
      issuer: "https://id.test")
    let cookie = try #require(
      Cookie(name: "sid", value: "s9", domain: "api.test", isHostOnly: true))
    answer.effect = {
      try? await other.save(.cookies(SessionCookies([cookie], obtained: World.now)))
    }
    world.transport.respond(Self.url, answer, .status(200))
    _ = try await Self.send(world)
    #expect(Self.cookies(world) == ["sid=s1", "sid=s9"])
    #expect(world.transport.sent.count == 2)
  }

  @Test("does not get cookies of another user", arguments: [true, false])
  func otherUser(isElsewhere: Bool) async throws {
    let world = try Self.world()
    let cookie = try #require(
      Cookie(name: "sid", value: "s1", domain: "api.test", isHostOnly: true))
    var session = SessionCookies([cookie], obtained: World.now)
    session.user = isElsewhere ? "alice" : "bob"
    try await world.session().login.store(.cookies(session))
    Self.answerLogin(world)
    var answer = FakeTransport.Response.status(401)
    if isElsewhere {
      session.user = "bob"
      let other = session
      answer.effect = { try? await world.credentials(.user).save(.cookies(other)) }
    }
    world.transport.respond(Self.url, answer, .status(200))
    let message =
      isElsewhere
      ? "could not send the request: another user has logged in since it was made"
      : "could not use the login of 'work': it has expired, and form.user is not the user "
        + "who is logged in"
    await expect(isElsewhere ? .untrusted : .sessionExpired, message) {
      _ = try await Self.send(world)
    }
    #expect(world.transport.lines == ["GET \(Self.url)"])
  }

  @Test("makes one login for all requests that it refuses")
  func singleFlight() async throws {
    let world = try await Self.loggedIn()
    Self.answerLogin(world)
    world.transport.setDefaultCheck { sent in
      guard sent.url == Self.url else { return nil }
      return sent.fields["Cookie"] == "sid=s2" ? .status(200) : .status(401)
    }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await Self.send(world).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 20))
    #expect(world.transport.lines.count { $0 == "POST \(Self.page)" } == 1)
  }

  @Test("gets a new password of the same length, once its file was written again")
  func newPassword() async throws {
    let world = try await Self.loggedIn()
    let path = world.folder.file("password")
    func write(_ password: String, at seconds: Int) throws {
      try world.folder.write("\(password)\n", to: "password", mode: 0o600)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: path)
    }
    try write("former", at: 1_700_000_000)
    world.transport.respond(Self.url, .status(401))
    world.transport.respond(Self.page, .loginForm())
    for code in [SDKError.Code.refused, .sessionExpired, .sessionExpired] {
      await expect(code) { try await Self.send(world) }
    }
    #expect(world.transport.lines.count { $0 == "POST https://api.test/login" } == 1)
    try write("latter", at: 1_700_000_001)
    Self.answerLogin(world)
    world.transport.respond(Self.url, .status(401), .status(200))
    #expect(try await Self.send(world).status == 200)
    #expect(world.transport.sent.contains { $0.body.contains("latter") })
  }

  /// Passes bodies on in pieces of three bytes.
  private struct Slicing: Transport {
    let transport: FakeTransport

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      guard case .sink(let sink) = body else {
        return try await transport.send(request, receiving: body)
      }
      var response = try await transport.send(request, receiving: .collect(limit: 1 << 20))
      let bytes = response.body
      response.body = []
      guard sink.begin(response) else { throw TransportError(.responseBodyRefused, "refused") }
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let piece = Array(bytes[start..<min(start + 3, bytes.count)])
        guard piece.withUnsafeBytes({ sink.write($0) }) else {
          throw TransportError(.responseBodyRefused, "refused")
        }
      }
      return response
    }
  }

  @Test("knows the page of the login by its text, however the body is cut into pieces")
  func pageInPieces() async throws {
    let world = try await Self.loggedIn(["form.pageText": "id=kc-form-login"])
    Self.answerLogin(world)
    world.transport.respond(
      Self.url, .page("<p>Hello</p><form id=kc-form-login method=post>"),
      .status(200, "then"))
    let sink = FakeSink()
    _ = try await world.session(transport: Slicing(transport: world.transport)).resources.send(
      ResourceRequest("GET", "/x"), as: .user, receiving: .sink(sink))
    #expect(sink.body == "then")
    #expect(Self.cookies(world) == ["sid=s1", "sid=s2"])
  }

  @Test("must get a cookie for its URL from the new login too")
  func foreignRenewal() async throws {
    let world = try await Self.loggedIn()
    world.transport.respond(
      Self.page, .loginForm(),
      .page("hi", cookies: ["sid=s2; Path=/elsewhere"]))
    world.transport.respond(Self.url, .status(401), .status(200))
    await expect(
      .policy, "could not send the request: no cookie of the login is for https://api.test/v1/x"
    ) { _ = try await Self.send(world) }
    #expect(Self.cookies(world) == ["sid=s1"])
  }

  @Test("asks for a login if nobody has stored a password")
  func noPassword() async throws {
    let world = try await Self.loggedIn(file: false)
    world.transport.respond(Self.url, .status(401))
    let error = await expect(
      .sessionExpired,
      "could not use the login of 'work': it has expired, and the profile has no form.user and "
        + "form.passwordFile"
    ) { _ = try await Self.send(world) }
    #expect(error?.remedy == .login(.init(by: .form)))
    #expect(error?.resource == .userNotAuthenticated)
  }

  @Test("is left alone, delivered or refused as the profile says")
  func choices() async throws {
    for (choice, code) in [("none", nil), ("refresh", SDKError.Code.sessionExpired)] {
      let world = try await Self.loggedIn(["reauthenticate": .string(choice)])
      world.transport.respond(Self.url, .status(401))
      if let code {
        await expect(code) { try await Self.send(world) }
      } else {
        #expect(try await Self.send(world).status == 401)
      }
      #expect(world.transport.sent.count == 1)
    }
  }

  @Test("refreshes nothing for reauthenticate=none, and logs in by form if the profile says so")
  func tokens() async throws {
    let none = try Self.world(["reauthenticate": "none"])
    try await none.store("a1")
    none.transport.respond(Self.url, .status(401))
    #expect(try await Self.send(none).status == 401)
    let form = try Self.world(["reauthenticate": "form"])
    try await form.store("a1")
    Self.answerLogin(form)
    form.transport.respond(Self.url, .status(401), .status(200))
    #expect(try await Self.send(form).status == 200)
    #expect(Self.cookies(form) == ["none", "sid=s2"])
  }

  @Test("gets new cookies at once in place of expired ones")
  func expired() async throws {
    let world = try Self.world()
    try await Self.store(world, "s1", "; Path=/; Max-Age=60")
    world.now = World.now + 60
    Self.answerLogin(world)
    world.transport.respond(Self.url, .status(200))
    #expect(try await Self.send(world).status == 200)
    #expect(Self.cookies(world) == ["sid=s2"])
  }

  @Test("gets no cookie that is for another host or path")
  func scope() async throws {
    for (host, attributes) in [("id.test", "; Path=/"), ("api.test", "; Path=/other")] {
      let world = try Self.world()
      try await Self.store(world, "s1", attributes, at: host)
      _ = await expect(
        .policy,
        "could not send the request: no cookie of the login is for https://api.test/v1/x"
      ) { _ = try await Self.send(world) }
      #expect(world.transport.sent.isEmpty)
    }
  }

  @Test("gets no cookie if the profile does not allow the host, and none after a redirect to it")
  func foreign() async throws {
    let world = try Self.world()
    try await Self.store(world, "s1", "; Path=/; Domain=test", at: "api.test")
    await expect(.policy) { try await Self.send(world, "https://other.test/") }
    world.transport.respond(Self.url, .redirect(302, to: "https://other.test/y"))
    world.transport.respond("https://other.test/y", .status(200))
    #expect(try await Self.send(world).status == 200)
    #expect(world.transport.sent.map { $0.fields["Cookie"] } == ["sid=s1", nil])
  }

  @Test("gets no Cookie field of the request beside those of the login")
  func reserved() async throws {
    let world = try await Self.loggedIn()
    let error = await #expect(throws: SDKError.self) {
      _ = try await UserClient(world.session()).send(
        ResourceRequest("GET", "/x", headers: [("cookie", "a=b")]))
    }
    #expect(error?.resource.number == 10019)
    #expect(world.transport.sent.isEmpty)
  }

  @Test("gets a JWT as a bearer token, and a new one when it has expired")
  func token() async throws {
    let world = try Self.world()
    try await world.session().login.store(
      try AuthorizationProvider(jwt: FormLoginTests.jwt, obtained: World.now))
    world.transport.respond(Self.url, .status(200))
    _ = try await Self.send(world)
    #expect(world.transport.sent[0].fields["Authorization"] == "Bearer \(FormLoginTests.jwt)")
    world.now = World.now + 60
    Self.answerLogin(world)
    _ = try await Self.send(world)
    #expect(Self.cookies(world) == ["none", "sid=s2"])
  }

  @Test("is handled by an observer of the program before the profile's")
  func observer() async throws {
    let world = try await Self.loggedIn(["reauthenticate": "none"])
    world.transport.respond(Self.url, .status(401), .status(200))
    let session = try world.session()
    let observer = OwnAuthentication(session)
    session.resources.register(observer)
    let response = try await UserClient(session).send(ResourceRequest("GET", "/x"))
    #expect(response.status == 200)
    #expect(Self.cookies(world) == ["sid=s1", "sid=own"])
    #expect(observer.notes.all == ["user cookies 401"])
  }

  @Test("has no token for a command that needs one")
  func noToken() async throws {
    let world = try await Self.loggedIn()
    let error = await expect(
      .unsupported,
      "could not use the user's token: the login of 'work' is a set of cookies, not a token"
    ) { _ = try await world.session().tokens.valid(for: .user) }
    #expect(error?.remedy == .cookieHeader)
  }

  @Test("reports no session after a logout")
  func logout() async throws {
    let world = try await Self.loggedIn()
    let steps = try await world.session().login.logOut(.user)
    #expect(steps == [LogoutStep(action: .erase, outcome: .done)])
    #expect(try await world.session().tokens.provider(in: .user) == nil)
    #expect(!world.folder.names.contains("state/profiles/work/credentials/user.json"))
  }
}

/// Obtains a session in its own way.
private final class OwnAuthentication: RequestObserver {
  let notes = FakeNotes()
  private let session: ProfileSession

  init(_ session: ProfileSession) { self.session = session }

  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    access == .user
  }

  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {
    notes.add("\(refusal.access) \(refusal.provider.name) \(refusal.response?.status ?? 0)")
    guard let cookie = Cookie(name: "sid", value: "own", domain: "api.test", isHostOnly: true)
    else { return }
    try await session.login.store(.cookies(SessionCookies([cookie], obtained: World.now)))
  }
}
