import CoreTestSupport

@testable import SDKCore

@Suite("The end of the browser's session")
struct EndSessionTests {
  @Test("has a URL with the client and without a token")
  func url() async throws {
    let world = try await World.registered(["endpoints.endSession": "https://id.test/out?x=1"])
    try await world.store("u1")
    let url = try await world.session().login.endSessionURL()
    #expect(url.description == "https://id.test/out?x=1&client_id=app")
  }
}
