internal import Primitives

/// The metrics of a transfer as part of a result.
///
/// Two results are equal if they differ in their metrics only. The metrics are large and results are
/// copied often, so they are stored in an object.
public struct Measured: Sendable, Hashable {
  private var shared: Shared<TransferMetrics>?

  /// Makes a value with these metrics; `nil` for none.
  public init(_ metrics: TransferMetrics? = nil) { self.metrics = metrics }

  /// The metrics; `nil` if nothing was measured.
  public var metrics: TransferMetrics? {
    get { shared?.value }
    set { shared = newValue.map(Shared.init) }
  }

  /// Always `true`.
  public static func == (left: Measured, right: Measured) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
