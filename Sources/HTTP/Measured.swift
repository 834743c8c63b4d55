/// What was measured beside a result, which is compared without it.
///
/// In memory of its own: results are copied often, and metrics are large.
public struct Measured: Sendable, Hashable {
  private final class Box: Sendable {
    let metrics: TransferMetrics

    init(_ metrics: TransferMetrics) { self.metrics = metrics }
  }

  private var box: Box?

  /// Makes a measurement.
  public init(_ metrics: TransferMetrics? = nil) { self.metrics = metrics }

  /// The metrics; `nil` if nothing was measured.
  public var metrics: TransferMetrics? {
    get { box?.metrics }
    set { box = newValue.map(Box.init) }
  }

  /// Always `true`.
  public static func == (left: Measured, right: Measured) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
