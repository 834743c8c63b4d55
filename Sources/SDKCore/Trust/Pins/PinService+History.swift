extension PinService {
  /// The keys that hosts have shown to ``record(_:)``, by endpoint; the latest first.
  ///
  /// - Throws: ``SDKError`` if the history cannot be read.
  public func history() throws(SDKError) -> [PinObservation] {
    try PinHistoryFile(environment.location, profile.name).load()
  }

  /// Remembers the keys of the validated chains that a check has seen.
  ///
  /// - Throws: ``SDKError`` if the history cannot be written.
  public func record(_ findings: [PinFinding]) async throws(SDKError) {
    try await record(
      findings.compactMap { finding in finding.presented.map { (finding.endpoint, $0) } })
  }

  /// Remembers the keys of validated chains.
  ///
  /// - Throws: ``SDKError`` if the history cannot be written.
  public func record(
    _ chains: [(endpoint: PinEndpoint, chain: PresentedChain)]
  ) async throws(SDKError) {
    guard chains.contains(where: { !$0.chain.validated.isEmpty }) else { return }
    let history = PinHistoryFile(environment.location, profile.name)
    let time = environment.now()
    try await environment.locked(.pins) { () throws(SDKError) in
      try history.record(chains, at: time)
    }
  }
}
