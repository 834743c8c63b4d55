public import Pinning
public import Primitives

/// The pins of a profile on disk, and the certificates that servers present.
public struct PinService: Sendable {
  let environment: SessionEnvironment
  /// The pins with which the session was opened.
  let pins: PinSets
  let handshakes: Handshakes
  var profile: Profile { environment.profile }

  /// Makes a TLS handshake with a server, without checking pins, and returns its chain; sends no
  /// request.
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
      do throws(SDKError) { return .success(try await probe(endpoint)) } catch {
        return .failure(error)
      }
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
    try await change { book in
      pins.map { book.removing($0, from: host) } ?? book.removing(host)
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
