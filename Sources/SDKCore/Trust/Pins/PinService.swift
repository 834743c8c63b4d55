public import Pinning
public import Primitives

/// The pins of a profile on disk, and the certificates that servers present.
public struct PinService: Sendable {
  let environment: SessionEnvironment
  /// The pins with which the session was opened.
  let pins: PinSets
  let handshakes: Handshakes
  var profile: Profile { environment.profile }

  /// Makes a TLS handshake with a server, without checking pins, and returns its chain; sends no request.
  ///
  /// - Throws: ``SDKError`` if the handshake fails.
  public func probe(host: String, port: UInt16) async throws(SDKError) -> PresentedChain {
    try await probe(PinEndpoint(host: host, port: port))
  }

  /// The same for a server at one address, or of a protocol that begins without TLS.
  ///
  /// - Throws: ``SDKError`` if the server does not begin TLS, or the handshake fails.
  public func probe(_ endpoint: PinEndpoint) async throws(SDKError) -> PresentedChain {
    try await handshakes.chain(of: endpoint)
  }

  /// Makes a handshake with each endpoint, without checking pins, at most `parallel` at the same time.
  ///
  /// - Returns: the chains in the order of the endpoints, also of those that are not trusted.
  public func probe(
    _ endpoints: [PinEndpoint], parallel: Int = 50
  ) async -> [Result<PresentedChain, SDKError>] {
    await mapped(endpoints, parallel: parallel) { endpoint in
      await Result { () async throws(SDKError) in try await probe(endpoint) }
    }
  }

  /// The addresses of a host, with those of the options in place of the name servers'.
  ///
  /// - Throws: ``SDKError`` if the name is not known.
  public func addresses(of endpoint: PinEndpoint) async throws(SDKError) -> [IPAddress] {
    try await attempt("could not find the addresses of \(endpoint.host)") {
      try await handshakes.addresses(endpoint)
    }
  }

  /// Adds keys to the pins of a host, or replaces those with the same pin.
  ///
  /// The host may be a pattern such as `*.example.com:8443`, see ``PinPattern``.
  ///
  /// - Throws: ``SDKError``: `invalidRequest` for what is not a pattern, `store` if the pins
  ///   cannot be read or written.
  public func add(_ keys: [PinnedKey], to host: String) async throws(SDKError) {
    guard let pattern = PinPattern(host) else {
      throw SDKError(.invalidRequest, "could not add pins: '\(host)' is not a host name")
    }
    guard pattern.subdomains == .none || !PublicSuffix.contains(pattern.host) else {
      throw SDKError(
        .invalidRequest,
        "could not pin the subdomains of '\(pattern.host)': it is a public suffix")
    }
    try await change { $0.adding(keys, to: pattern) }
  }

  /// Removes pins of a host; without `pins` all of them.
  ///
  /// - Throws: ``SDKError`` if the pins cannot be read or written.
  public func remove(_ pins: Set<Pin>? = nil, from host: String) async throws(SDKError) {
    try await change { sets in
      pins.map { sets.removing($0, from: host) } ?? sets.removing(host)
    }
  }

  /// Changes the pins on disk; one change at a time.
  ///
  /// The session keeps the pins that it was opened with.
  ///
  /// - Throws: ``SDKError`` if the pins cannot be read or written.
  public func change(_ change: @Sendable (PinSets) -> PinSets) async throws(SDKError) {
    let file = PinStore(environment.location, profile.name)
    try await environment.locked(.pins) { () throws(SDKError) in
      try file.save(change(try file.load()))
    }
  }
}

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
  public func inspect(_ endpoint: PinEndpoint) async -> PinFinding {
    var finding = await check(endpoint, with: pins, until: environment.now())
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
