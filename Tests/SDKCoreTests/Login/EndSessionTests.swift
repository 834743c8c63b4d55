import CoreTestSupport
import HTTP
import JSON
import TestSupport
import Testing

@testable import SDKCore

@Suite("The end of the browser's session")
struct EndSessionTests {
  @Test("has a URL with the client and without a token")
  func url() async throws {
    let world = try World(["endpoints.endSession": "https://id.test/out?x=1"])
    try await world.register()
    try await world.store("u1")
    let url = try await world.session().login.endSessionURL()
    #expect(url.description == "https://id.test/out?x=1&client_id=app")
  }

  @Test("is not offered by every server")
  func unsupported() async throws {
    let world = try World()
    try await world.register()
    let session = try world.session()
    await expect(
      .unsupported,
      "could not end the session at the server: https://id.test offers no endSession endpoint"
    ) { _ = try await session.login.endSessionURL() }
  }
}
