import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

@Suite("Client of etcd that waits")
struct EtcdWaitTests {
  /// Nodes that refuse; the request is cancelled when both have been asked.
  private final class Refusing: Transport {
    private let count = Atomic(0)
    var sent: Int { count.load(ordering: .relaxed) }

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      let number = count.add(1, ordering: .relaxed).newValue
      if number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      throw TransportError(.connection, "refused")
    }
  }

  @Test("asks no node any more if it is cancelled after a round of all")
  func cancelled() async throws {
    let nodes = Refusing()
    let client = try EtcdClientTests().client(nodes, within: .seconds(600))
    let waiting = Task { try await client.grant(seconds: 60) }
    await expect(.network) { _ = try await waiting.value }
    #expect(nodes.sent == 2)
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
