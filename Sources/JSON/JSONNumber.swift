/// A JSON number in the spelling of its document.
public struct JSONNumber: Sendable, Hashable {
  /// The number as it was written.
  public let text: String

  /// Makes a number from an integer.
  public init(_ value: Int64) { text = String(value) }

  /// Makes a number in the shortest spelling that is read as the same value; `nil` if not finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// Takes a spelling that the parser has checked.
  init(checked text: String) { self.text = text }

  /// The number as a `Double`; `nil` when it is out of range.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The number as an integer, when it is whole and fits.
  public var int: Int64? {
    if let value = Int64(text) { return value }
    guard let double, double > -9e15, double < 9e15 else { return nil }
    let whole = Int64(double)
    return Double(whole) == double ? whole : nil
  }
}
