/// The times, sizes and addresses of a transfer, and the result of the pin check.
public struct TransferMetrics: Sendable, Hashable {
  /// When the host name was resolved; all times count from the start of the transfer.
  public var nameLookup = Duration.zero
  /// When the TCP connection was made; zero for a connection that was open already.
  public var connect = Duration.zero
  /// When the TLS handshake was complete; zero without one.
  public var handshake = Duration.zero
  /// When the request could be sent.
  public var preTransfer = Duration.zero
  /// When the first byte of the response arrived.
  public var startTransfer = Duration.zero
  /// When the transfer ended.
  public var total = Duration.zero
  /// How long the redirects before this transfer took.
  public var redirect = Duration.zero
  /// How many redirects were followed before this transfer.
  public var redirects = 0
  /// The method of this transfer, if a redirect has changed it.
  public var redirectedMethod: HTTPMethod?
  /// The bytes of the response's body, as they were received.
  public var downloaded: Int64 = 0
  /// The bytes of the request's body that were sent.
  public var uploaded: Int64 = 0
  /// The bytes of the headers of the response, and of the redirects before it.
  public var headerSize = 0
  /// The bytes of the headers of the request, and of those that were redirected to it.
  public var requestSize = 0
  /// How many connections were made, also for the redirects before this transfer.
  public var connections = 0
  /// The status of the proxy's response to CONNECT; 0 for none.
  public var connectStatus = 0
  /// The address of the server or of the proxy.
  public var remote: Endpoint?
  /// The address of this machine.
  public var local: Endpoint?
  /// The TLS protocol, as in `TLSv1.3`; `nil` without TLS.
  public var tls: String?
  /// The TLS cipher suite, by its name in OpenSSL; `nil` without TLS and on an open connection.
  public var cipher: String?
  /// The protocol that the handshake agreed on (ALPN), as in `h2`; `nil` for none and on an open
  /// connection.
  public var alpn: String?
  /// The result of the pin check; `nil` without TLS, or if an open connection was used that is
  /// not required to match.
  public var pins: PinOutcome?

  /// Makes metrics that are all zero.
  public init() {}

  /// An IP address and a port.
  public struct Endpoint: Sendable, Hashable {
    /// The IP address.
    public var address: String
    /// The port.
    public var port: Int

    /// Makes an endpoint.
    public init(address: String, port: Int) {
      self.address = address
      self.port = port
    }
  }
}

/// The result of a pin check.
public enum PinOutcome: String, Sendable {
  /// A key of the validated chain is pinned.
  case matched
  /// No key of the chain is pinned; the policy is to report this.
  case mismatched
  /// The host has no pins, or they have expired; the policy is to report this.
  case unpinned
}
