import CoreTestSupport

/// Tells of each request that no key of the chain was pinned, as the policy `report` does.
struct ReportingTransport: Transport {
  let transport: any Transport
  let report: (@Sendable (PinFailure) -> Void)?

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    report?(Self.failure(of: request.url.host, isEnforced: false))
    return try await transport.send(request, receiving: body)
  }

  /// The chain of a host without a pinned key.
  static func failure(of host: String, isEnforced: Bool) -> PinFailure {
    let leaf = ChainKey(subject: "CN=leaf", pin: TestChain.pin("leaf"), role: .leaf)
    guard let set = PinSet(host: host, keys: []) else { preconditionFailure("a host: \(host)") }
    return PinFailure(
      set.verdict(of: [leaf], at: Timestamp(0)), host: host, port: 443, isEnforced: isEnforced)
  }
}
