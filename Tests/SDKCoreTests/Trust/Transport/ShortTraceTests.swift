import CoreTestSupport
import Trace

@testable import SDKCore

@Suite("The short lines of a trace")
struct ShortTraceTests {
  @Test("have no secret, although they are told while the exchange lasts")
  func redacted() async throws {
    let told = Mutex<[String]>([])
    var options = SessionOptions()
    options.connections.trace = { line in told.withLock { $0.append(line) } }
    let made = TraceLog(options, now: { World.now })
    let log = try #require(made)
    let network = Network(
      makeTransport: { _, options in
        Telling { request in
          options.trace?("> \(request.method) \(request.url)")
          options.trace?("< HTTP/1.1 200 token-sent")
        }
      },
      makeHandshakes: Network.curl.makeHandshakes, version: Network.curl.version)
    let transport = network.transport(
      TransportSettings(nil, PinSets()), options.connections, log)
    var request = HTTPRequest(.get, try HTTPURL("https://api.test/token-sent"))
    request.fields = HTTPFields([try HTTPField("Authorization", "Bearer token-sent")])
    _ = try? await transport.send(request, receiving: .collect(limit: 9))
    let mark = TraceSecrets.mark
    #expect(
      told.withLock { $0 } == ["> GET https://api.test/\(mark)", "< HTTP/1.1 200 \(mark)"])
  }

  /// Tells of each request, and gets no response.
  private final class Telling: Transport {
    private let tell: @Sendable (HTTPRequest) -> Void
    init(_ tell: @escaping @Sendable (HTTPRequest) -> Void) { self.tell = tell }
    func refusal(of url: HTTPURL) -> TransportError? { nil }
    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      tell(request)
      return HTTPResponse(status: 204, fields: [], url: request.url)
    }
  }
}
