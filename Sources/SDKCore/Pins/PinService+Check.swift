public import Pinning
public import Primitives

extension PinService {
  /// Makes a handshake with each endpoint and compares the chains with the pins.
  ///
  /// No request is sent.
  ///
  /// - Parameters:
  ///   - endpoints: what is checked.
  ///   - pins: the pins; `nil` for those of the profile.
  ///   - end: certificates and pins that end before this time are reported.
  ///   - parallel: how many handshakes run at the same time.
  /// - Returns: the findings in the order of the endpoints.
  public func check(
    _ endpoints: [PinEndpoint], with pins: PinSets? = nil, until end: Timestamp,
    parallel: Int = 50
  ) async -> [PinFinding] {
    let pins = pins ?? self.pins
    return await withTaskGroup(of: (Int, PinFinding).self) { group in
      var waiting = Array(endpoints.enumerated())[...]
      var findings = [PinFinding?](repeating: nil, count: endpoints.count)
      func startNext() {
        guard let (index, endpoint) = waiting.popFirst() else { return }
        group.addTask { (index, await check(endpoint, with: pins, until: end)) }
      }
      for _ in 0..<max(1, parallel) { startNext() }
      while let (index, finding) = await group.next() {
        findings[index] = finding
        startNext()
      }
      return findings.compactMap { $0 }
    }
  }

  /// Compares the chain of an endpoint with its pins, and looks at it also if it has none.
  ///
  /// - Returns: the finding of a check, with what the server showed if it could be reached.
  public func inspect(_ endpoint: PinEndpoint, until end: Timestamp) async -> PinFinding {
    var finding = await check(endpoint, with: pins, until: end)
    guard finding.status == .unpinned else { return finding }
    do {
      finding.presented = try await probe(host: endpoint.host, port: endpoint.port)
    } catch {
      finding.cause = "it has no pins; \(error.message)"
    }
    return finding
  }

  private func check(
    _ endpoint: PinEndpoint, with pins: PinSets, until end: Timestamp
  ) async -> PinFinding {
    guard let set = pins.set(for: endpoint.host, port: endpoint.port) else {
      return PinFinding(endpoint, .unpinned, cause: "it has no pins")
    }
    if set.isExpired(at: now()) {
      var finding = PinFinding(endpoint, .expired, cause: "its pins have expired")
      finding.pinsExpire = set.expires
      finding.presented = try? await probe(host: endpoint.host, port: endpoint.port)
      return finding
    }
    do {
      let presented = try await probe(host: endpoint.host, port: endpoint.port)
      return PinFinding(of: endpoint, showing: presented, with: set, until: end)
    } catch {
      return PinFinding(endpoint, failing: error)
    }
  }
}
