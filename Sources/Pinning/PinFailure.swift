/// A server that showed no pinned key, with everything that a report of it says.
public struct PinFailure: Sendable, Hashable {
  /// What the pins say about the server; not a match.
  public let verdict: PinVerdict
  /// The host that was asked.
  public let host: String
  /// The port of the host.
  public let port: UInt16
  /// The certificates of the validated path as DER, leaf first; none before a handshake.
  public let certificates: [[UInt8]]
  /// Whether the connection was refused.
  public let isEnforced: Bool

  /// Describes a failure.
  public init(
    _ verdict: PinVerdict, host: String, port: UInt16, certificates: [[UInt8]] = [],
    isEnforced: Bool
  ) {
    self.verdict = verdict
    self.host = host
    self.port = port
    self.certificates = certificates
    self.isEnforced = isEnforced
  }
}
