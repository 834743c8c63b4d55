import HTTP
import Pinning

/// Tells of each request that no key of the chain was pinned, as the policy `report` does.
struct ReportingTransport: Transport {
  let transport: any Transport
  let report: (@Sendable (PinMismatch) -> Void)?

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    let leaf = ChainKey(subject: "CN=leaf", pin: TestChain.pin("leaf"), role: .leaf)
    report?(PinMismatch(host: request.url.host, chain: [leaf], pinned: []))
    return try await transport.send(request, receiving: body)
  }
}
