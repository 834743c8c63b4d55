/// What was measured beside a result, which is compared without it.
public struct Measured: Sendable, Hashable {
  /// The metrics; `nil` if nothing was measured.
  public var metrics: TransferMetrics?

  /// Makes a measurement.
  public init(_ metrics: TransferMetrics? = nil) { self.metrics = metrics }

  /// Always `true`.
  public static func == (left: Measured, right: Measured) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
