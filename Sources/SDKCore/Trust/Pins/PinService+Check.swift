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
  ///   - revocation: whether revoked certificates are a problem, or also those of which nothing is known.
  ///   - parallel: how many handshakes run at the same time.
  /// - Returns: the findings in the order of the endpoints.
  public func check(
    _ endpoints: [PinEndpoint], with pins: PinSets? = nil, until end: Timestamp,
    revocation: RevocationRule = .ignored, parallel: Int = 50
  ) async -> [PinFinding] {
    let pins = pins ?? self.pins
    return await mapped(endpoints, parallel: parallel) {
      await check($0, with: pins, until: end).applying(revocation)
    }
  }

  /// The endpoints with one for each address of their hosts; one whose name is not known stays.
  public func addressed(_ endpoints: [PinEndpoint], parallel: Int = 50) async -> [PinEndpoint] {
    let found: [[PinEndpoint]] = await mapped(endpoints, parallel: parallel) { endpoint in
      let addresses = (try? await addresses(of: endpoint)) ?? []
      guard !addresses.isEmpty else { return [endpoint] }
      return addresses.map { address in
        var endpoint = endpoint
        endpoint.address = address
        return endpoint
      }
    }
    return found.flatMap { $0 }
  }

  /// Compares the chain of an endpoint with its pins, and looks at it also if it has none.
  ///
  /// - Returns: the finding of a check, with what the server showed if it could be reached.
  public func inspect(_ endpoint: PinEndpoint, until end: Timestamp) async -> PinFinding {
    var finding = await check(endpoint, with: pins, until: end)
    guard finding.status == .unpinned else { return finding }
    do {
      finding.presented = try await probe(finding.endpoint)
    } catch {
      finding = PinFinding(endpoint, .unpinned, error, cause: "it has no pins; \(error.message)")
    }
    return finding
  }

  private func check(
    _ endpoint: PinEndpoint, with pins: PinSets, until end: Timestamp
  ) async -> PinFinding {
    guard let set = pins.set(for: endpoint.host, port: endpoint.port) else {
      return PinFinding(endpoint, .unpinned, cause: "it has no pins")
    }
    if set.isExpired(at: environment.now()) {
      var finding = PinFinding(endpoint, .expired, cause: "its pins have expired")
      finding.pinsExpire = set.expires
      finding.presented = try? await probe(endpoint)
      return finding
    }
    do {
      let presented = try await probe(endpoint)
      return PinFinding(of: endpoint, showing: presented, with: set, until: end)
    } catch {
      return PinFinding(endpoint, failing: error)
    }
  }
}

func mapped<Result: Sendable>(
  _ endpoints: [PinEndpoint], parallel: Int,
  _ body: @escaping @Sendable (PinEndpoint) async -> Result
) async -> [Result] {
  await withTaskGroup(of: (Int, Result).self) { group in
    var waiting = Array(endpoints.enumerated())[...]
    var results = [Result?](repeating: nil, count: endpoints.count)
    func startNext() {
      guard let (index, endpoint) = waiting.popFirst() else { return }
      group.addTask { (index, await body(endpoint)) }
    }
    for _ in 0..<max(1, parallel) { startNext() }
    while let (index, result) = await group.next() {
      results[index] = result
      startNext()
    }
    return results.compactMap { $0 }
  }
}
