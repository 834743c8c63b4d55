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

  @Test("a watch ends with the first change")
  func firstChange() {
    let watch = EtcdWatch()
    for (line, goesOn) in [(#"{"created":true}"#, true), (#"{"events":[{}]}"#, false)] {
      let bytes = Array("{\"result\":\(line)}\n".utf8)
      #expect(bytes.withUnsafeBytes { watch.write($0) } == goesOn)
    }
  }
}
