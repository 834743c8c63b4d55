import CoreTestSupport

@testable import LocalProxy

@Suite("A proxy with a time")
struct ResourceProxyTests {
  @Test("ends when the time is over", .timeLimit(.minutes(5)))
  func end() async throws {
    let world = try World()
    var options = ProxyOptions()
    options.listener = .socket(world.folder.file("socket"))
    let session = try world.session()
    let proxy = try ResourceProxy(options) { session.resources }
    #expect(world.folder.exists("socket"))
    let time = await ContinuousClock().measure { await proxy.run(for: .zero) }
    #expect(time < options.endTime)
    #expect(!world.folder.exists("socket"))
  }
}
