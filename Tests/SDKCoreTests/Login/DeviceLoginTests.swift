import CoreTestSupport

@testable import SDKCore

@Suite("A login on another device")
struct DeviceLoginTests {
  private static let deviceURL = "https://id.test/device"
  private static let tokenURL = "https://id.test/token"

  @Test("shows the codes, polls and keeps the tokens")
  func whole() async throws {
    let world = try await Self.world()
    world.transport.respond(
      Self.tokenURL, Self.error("authorization_pending"), Self.error("slow_down"),
      .json(#"{"access_token":"a1","token_type":"bearer","refresh_token":"r1"}"#))
    let options = LoginOptions(scope: "a b")
    let shown = Mutex<[String]>([])
    let result = try await world.session().login.logIn(
      by: .device { authorization in shown.withLock { $0.append(authorization.userCode) } },
      options)
    #expect(shown.withLock { $0 } == ["ABCD"])
    #expect(world.pauses == [5, 5, 10])
    #expect(result.tokens.accessToken == "a1")
    #expect(result.tokens.scope == "a b")
    #expect(result.subject == nil)
    #expect(try await world.stored() == result.tokens)
    #expect(
      world.transport.lines == [
        "GET \(World.metadataURL)", "POST \(Self.deviceURL)", "POST \(Self.tokenURL)",
        "POST \(Self.tokenURL)", "POST \(Self.tokenURL)",
      ])
    #expect(world.transport.sent[1].body == "scope=a%20b&client_id=app")
    #expect(Set(world.transport.sent.dropFirst().map { $0.fields["Authorization"] }).count == 1)
  }

  @Test("refuses an ID token that does not verify")
  func forged() async throws {
    let world = try await Self.world()
    world.grant("a1", ["id_token": "x"])
    let session = try world.session()
    let openID = LoginOptions(scope: "openid")
    await expect(.untrusted) { _ = try await session.login.logIn(by: .device { _ in }, openID) }
    #expect(try await world.stored() == nil)
    let plain = LoginOptions(scope: "a")
    #expect(try await session.login.logIn(by: .device { _ in }, plain).tokens.idToken == nil)
  }

  private static func error(_ code: String) -> FakeTransport.Response {
    .json(#"{"error":"\#(code)"}"#, status: 400)
  }

  private static func world() async throws -> World {
    let world = try await World.registered()
    world.transport.respond(
      deviceURL,
      .json(
        #"{"device_code":"d","user_code":"ABCD","verification_uri":"https://id.test/d","#
          + #""expires_in":600}"#))
    return world
  }
}
