/// The metrics of a transfer as part of a result.
///
/// Two results are equal if they differ in their metrics only. The metrics are large and results are
/// copied often, so they are stored in an object.
public struct Measured: Sendable, Hashable {
  private final class Box: Sendable {
    let metrics: TransferMetrics

    init(_ metrics: TransferMetrics) { self.metrics = metrics }
  }

  private var box: Box?

  /// Makes a value with these metrics; `nil` for none.
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
