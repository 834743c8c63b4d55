import CoreTestSupport

@testable import PageLogin
@testable import SDKCore

@Suite("A logout from the provider's pages")
struct FormLogoutTests {
  private static let page = "https://api.test/logout"

  private static func world(_ settings: JSONObject = [:]) async throws -> World {
    let world = try World(
      settings.merging([
        "form.url": "https://api.test/login", "form.logoutURL": .string(page),
      ]) { left, _ in left })
    let cookie = try #require(
      Cookie(
        setCookie: "sid=s1; Path=/", from: try HTTPURL("https://api.test/"), at: World.now,
        isPublicSuffix: { _ in false }))
    try await world.session().login.store(.cookies(SessionCookies([cookie], obtained: World.now)))
    return world
  }

  private static func outcomes(_ steps: [LogoutStep]) -> [String] {
    steps.map { step in
      switch step.outcome {
      case .done: "\(step.action) done"
      case .skipped, .skippedAsLocal: "\(step.action) skipped"
      case .pending: "\(step.action) pending"
      case .failed(let error): "\(step.action) \(error.code): \(error.message)"
      }
    }
  }

  @Test(
    "ends the session with the page of form.logoutURL, and with the form that confirms it",
    arguments: [
      ([.page("bye")], ["GET"], "endSession done"),
      ([.redirect(302, to: "/"), .status(404)], ["GET"], "endSession done"),
      ([.status(405), .status(204)], ["GET", "POST"], "endSession done"),
      (
        [
          .page(
            "<form method=post action=/search><input name=q></form>"
              + "<form method=post action=/logout><input type=hidden name=csrf value=c></form>"),
          .page("bye"),
        ], ["GET", "POST csrf=c"], "endSession done"
      ),
      (
        // A form that is sent elsewhere, or that somebody fills in, is not the confirmation.
        [
          .page(
            "<form method=post action=/x></form><form method=post action=/logout><input name=q>")
        ], ["GET"], "endSession done"
      ),
      (
        [.page("<form method=post action=/logout><input type=hidden name=c>", status: 403)],
        ["GET"],
        "endSession refused: could not end the session at the server: api.test returned 403"
      ),
      (
        [.status(405), .status(500)], ["GET", "POST"],
        "endSession network: could not end the session at the server: api.test returned 500"
      ),
    ] as [([FakeTransport.Response], [String], String)])
  func steps(answers: [FakeTransport.Response], sent: [String], last: String) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.page, answers)
    world.transport.respond("https://api.test/", .page("start"))
    let steps = try await world.session().login.logOut(.user)
    #expect(Self.outcomes(steps) == ["erase done", last])
    let requests = world.transport.sent.filter { $0.url == Self.page }
    #expect(requests.map { $0.body.isEmpty ? $0.method : "\($0.method) \($0.body)" } == sent)
    #expect(requests.allSatisfy { $0.fields["Cookie"] == "sid=s1" })
    #expect(try await world.session().tokens.provider(in: .user) == nil)
  }

  @Test("sends no confirmation to another origin, also to a host of the login")
  func confirmationElsewhere() async throws {
    let world = try await Self.world(["form.hosts": ["sso.test"]])
    world.transport.respond(
      Self.page,
      .page("<form method=post action=https://sso.test/logout><input type=hidden name=a></form>"))
    world.transport.respond("https://sso.test/logout", .status(200))
    _ = try await world.session().login.logOut(.user)
    #expect(world.transport.lines == ["GET \(Self.page)"])
  }

  @Test("asks no server with --local, and none of the session if there are only tokens")
  func nothing() async throws {
    let world = try await Self.world()
    let steps = try await world.session().login.logOut(.user, isLocal: true)
    #expect(Self.outcomes(steps) == ["erase done", "endSession skipped"])
    try await world.register()
    try await world.store("a1")
    world.transport.respond("https://id.test/revoke", .status(200))
    _ = try await world.session().login.logOut(.user)
    #expect(!world.transport.sent.contains { $0.url == Self.page })
  }

  @Test("sends the cookies to hosts of the login only")
  func hosts() async throws {
    let world = try await Self.world(["form.logoutURL": "https://evil.test/logout"])
    let steps = try await world.session().login.logOut(.user)
    #expect(Self.outcomes(steps).last?.hasPrefix("endSession policy") == true)
    #expect(world.transport.sent.isEmpty)
  }
}
