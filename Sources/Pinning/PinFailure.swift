/// A validated chain without a pinned key, with everything that a report of it says.
public struct PinFailure: Sendable, Hashable {
  /// The host and both lists.
  public let mismatch: PinMismatch
  /// The port of the host.
  public let port: UInt16
  /// The pins that were not met.
  public let set: PinSet
  /// The certificates of the validated path as DER, leaf first.
  public let certificates: [[UInt8]]
  /// Whether the connection was refused.
  public let isEnforced: Bool

  /// Describes a failure.
  public init(
    _ mismatch: PinMismatch, port: UInt16, set: PinSet, certificates: [[UInt8]], isEnforced: Bool
  ) {
    self.mismatch = mismatch
    self.port = port
    self.set = set
    self.certificates = certificates
    self.isEnforced = isEnforced
  }
}
