/// A JSON number in the spelling of its document.
public struct JSONNumber: Sendable, Hashable {
  /// The number as it was written.
  public let text: String

  /// Makes a number from an integer.
  public init(_ value: some FixedWidthInteger) { text = String(value) }

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

  /// The number as an integer, if it is whole and fits: `1.50e2` is 150, `1e-400` is not whole.
  public var int: Int64? {
    if let value = Int64(text) { return value }
    // Exact: a `Double` would round a fraction away.
    let parts = text.utf8.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."))
    var digits = Array(mantissa.joined())
    if digits.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }) { return 0 }
    guard let exponent = parts.count > 1 ? Int32(Substring(parts[1])) : 0 else { return nil }
    var scale = Int(exponent) - (mantissa.count > 1 ? mantissa[1].count : 0)
    while scale < 0, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      scale += 1
    }
    guard (0...18).contains(scale) else { return nil }
    digits += [UInt8](repeating: UInt8(ascii: "0"), count: scale)
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}
