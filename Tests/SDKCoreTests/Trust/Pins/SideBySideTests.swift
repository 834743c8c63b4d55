import CoreTestSupport

@testable import SDKCore

@Suite("Handshakes of many endpoints")
struct SideBySideTests {
  @Test(
    "run side by side up to a number, and have results in their order", .timeLimit(.minutes(10)))
  func parallel() async {
    let endpoints = (0..<8).map { PinEndpoint(host: "h\($0).test") }
    let counts = Mutex((started: 0, running: 0, most: 0))
    let results = await mapped(endpoints, parallel: 4) { endpoint in
      counts.withLock {
        $0.started += 1
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      // No handshake ends before the first four run.
      while counts.withLock({ $0.started }) < 4 { await Task.yield() }
      counts.withLock { $0.running -= 1 }
      return endpoint.host
    }
    #expect(results == endpoints.map(\.host))
    #expect(counts.withLock { $0.most } == 4)
  }
}
