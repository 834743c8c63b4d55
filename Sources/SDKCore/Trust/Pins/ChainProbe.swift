import Pinning

/// Shows the certificates of servers without a profile.
public struct ChainProbe: Sendable {
  private let handshakes: Handshakes

  init(_ handshakes: Handshakes) { self.handshakes = handshakes }

  /// Makes a handshake with a server and returns its chain; no request is sent.
  ///
  /// - Returns: what the server showed, also if it is not trusted.
  /// - Throws: ``SDKError`` if there is no handshake.
  public func chain(of endpoint: PinEndpoint) async throws(SDKError) -> PresentedChain {
    try await handshakes.chain(of: endpoint)
  }

  /// Makes a handshake with a server that has no pins; no request is sent.
  ///
  /// - Returns: a finding with what the server showed: ``PinFinding/Status/unpinned``, `untrusted` or
  ///   `unreachable`.
  public func inspect(_ endpoint: PinEndpoint) async -> PinFinding {
    do {
      let chain = try await chain(of: endpoint)
      let error = chain.verificationError
      var finding = PinFinding(endpoint, error == nil ? .unpinned : .untrusted, cause: error)
      finding.presented = chain
      return finding
    } catch {
      return PinFinding(endpoint, failing: error)
    }
  }
}

extension Handshakes {
  func chain(of endpoint: PinEndpoint) async throws(SDKError) -> PresentedChain {
    try await attempt("could not see the certificates of \(endpoint)") {
      try await probe(endpoint)
    }
  }
}
