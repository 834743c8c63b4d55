import CoreTestSupport

@testable import SDKCore

@Suite("A login on another device")
struct DeviceLoginTests {
  @Test("refuses an ID token that does not verify")
  func forged() async throws {
    let world = try await World.registered()
    world.transport.respond(
      "https://id.test/device",
      .json(
        #"{"device_code":"d","user_code":"ABCD","verification_uri":"https://id.test/d","#
          + #""expires_in":600}"#))
    world.grant("a1", ["id_token": "x"])
    let session = try world.session()
    let openID = LoginOptions(scope: "openid")
    await expect(.untrusted) { _ = try await session.login.logIn(by: .device { _ in }, openID) }
    #expect(try await world.stored() == nil)
    let plain = LoginOptions(scope: "a")
    #expect(try await session.login.logIn(by: .device { _ in }, plain).tokens.idToken == nil)
  }
}
