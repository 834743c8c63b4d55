import CoreTestSupport

@testable import SDKCore

@Suite("A registered loopback redirect URI")
struct LoopbackRedirectTests {
  @Test(
    "is sent as it is spelled, with the port of the listener",
    // Entra ID knows `http://localhost` with any port, and compares the rest byte by byte.
    arguments: [
      ("http://localhost", "http://localhost:PORT"),
      ("http://localhost/", "http://localhost:PORT/"),
      ("http://localhost/cb", "http://localhost:PORT/cb"),
      ("http://127.0.0.1", "http://127.0.0.1:PORT"),
      ("http://[::1]/cb", "http://[::1]:PORT/cb"),
      ("com.example.app:/cb", "http://127.0.0.1:PORT/callback"),
    ])
  func spelling(registered: String, expected: String) async throws {
    let world = try await World.registered(redirectURI: registered)
    let route = try await LoopbackRoute(try world.session().login, LoginOptions()) { _ in }
    defer { route.close() }
    let port = try HTTPURL(route.redirectURI).port
    let start = expected.prefix { $0 != "P" }
    #expect(route.redirectURI == "\(start)\(port)\(expected.dropFirst(start.count + 4))")
  }

  @Test("that leads to another program gets no response here")
  func claimed() async throws {
    let world = try await World.registered(redirectURI: "https://app.test/cb")
    let login = try world.session().login
    let error = await expect(.invalidConfiguration) {
      try await login.route(to: nil, LoginOptions()) { _ in }.close()
    }
    #expect(error?.remedy == .manualLogin)
    let route = try await login.route(to: .loopback, LoginOptions()) { _ in }
    route.close()
  }

  @Test("whose port stays in use is given up after a time", .timeLimit(.minutes(10)))
  func portInUse() async throws {
    let world = try await World.registered()
    var options = LoginOptions()
    let first = try await LoopbackRoute(try world.session().login, options) { _ in }
    defer { first.close() }
    options.port = try HTTPURL(first.redirectURI).port
    let (login, taken) = (try world.session().login, options)
    let error = await #expect(throws: SDKError.self) {
      try await LoopbackRoute(login, taken) { _ in }.close()
    }
    guard case .freePort? = error?.remedy else { throw Unmet("\(String(describing: error))") }
  }

  @Test(
    "has a port only on loopback and without TLS",
    arguments: [
      (["http://127.0.0.1:8080/cb", "http://[::1]:81/cb"], [8080, 81]),
      (["https://127.0.0.1:8080/cb"], []), (["http://id.test:8080/cb"], []),
      (["http://localhost/cb", "com.example.app:/cb"], []),
    ] as [([String], [UInt16])])
  func ports(uris: [String], ports: [UInt16]) {
    let registration = Registration(
      issuer: "https://id.test", source: .dynamic, obtained: World.now,
      client: ["client_id": "app", "redirect_uris": .strings(uris)])
    #expect(registration.loopbackPorts == ports)
  }
}
