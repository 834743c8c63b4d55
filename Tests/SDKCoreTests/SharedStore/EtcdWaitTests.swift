import HTTP
import TestSupport
import Testing

@testable import SDKCore

@Suite("Client of etcd that waits")
struct EtcdWaitTests {
  private let tests = EtcdClientTests()

  @Test("asks no node any more if it is cancelled after a round of all")
  func cancelled() async throws {
    let down = tests.transport("lease/grant", .failure(.connection, "refused"))
    let client = try tests.client(down, within: .seconds(600))
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) { try await client.grant(seconds: 60) }
    steps.drain()
    waiting.cancel()
    steps.letRun()
    let error = await #expect(throws: SDKError.self) { _ = try await waiting.value }
    #expect(error?.code == .network)
    #expect(down.sent.count == 2)
  }

  /// Ends each watch by its time.
  private struct Late: Transport {
    let begins: Bool

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      if begins, case .sink(let sink) = body {
        _ = sink.begin(HTTPResponse(status: 200, url: request.url))
        let line = Array(#"{"result":{"created":true}}"#.utf8) + [UInt8(ascii: "\n")]
        _ = line.withUnsafeBytes { sink.write($0) }
      }
      throw TransportError(.timeout, "late")
    }
  }

  @Test("takes the end of a watch by its time for no failure, once the node watches")
  func endOfWatch() async throws {
    let request = HTTPRequest(.post, try HTTPURL("https://n0.test/v3/watch"))
    try await EtcdWatch().run(request, over: Late(begins: true), startingWithin: .seconds(600))
    let error = await #expect(throws: TransportError.self) {
      try await EtcdWatch().run(request, over: Late(begins: false), startingWithin: .seconds(600))
    }
    #expect(error?.code == .timeout)
  }
}
