package import Primitives

/// A type that an option's value or an operand can be read as.
package protocol ArgumentValue: SendableMetatype {
  /// Reads the text, or throws the reason why it is not a value.
  static func reading(_ text: String) throws(ValueError) -> Self
}

/// Why a text is not a value: lower case, no final period ("not a whole number").
package struct ValueError: Error, Sendable, Hashable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

extension TimeSpan: ArgumentValue {
  /// A number with its unit; a bare number is refused.
  package static func reading(_ text: String) throws(ValueError) -> TimeSpan {
    do {
      return try TimeSpan(text)
    } catch .withoutUnit {
      throw ValueError("a unit is missing: \(text)d are days, \(text)w weeks, \(text)h hours")
    } catch .tooLong {
      throw ValueError("longer than a hundred years")
    } catch {
      throw ValueError("not a time such as 12h, 30d or 2w")
    }
  }
}

extension String: ArgumentValue {
  package static func reading(_ text: String) throws(ValueError) -> String { text }
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  package static func reading(_ text: String) throws(ValueError) -> Wrapped? {
    try Wrapped.reading(text)
  }
}

extension ArgumentValue where Self: FixedWidthInteger {
  /// Decimal digits, with a minus sign where the type has one; no plus sign and no spaces.
  package static func reading(_ text: String) throws(ValueError) -> Self {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw ValueError("not a whole number")
    }
    guard let value = Self(text) else {
      throw ValueError("out of range (\(Self.min) to \(Self.max))")
    }
    return value
  }
}

extension Int: ArgumentValue {}
extension Int64: ArgumentValue {}
extension UInt16: ArgumentValue {}

extension Duration: ArgumentValue {
  /// Seconds, or a number with a unit; at most a hundred years.
  ///
  /// The units are `ms`, `s`, `m`, `h` and `d`, and a fraction has up to nine digits: "90", "1.5",
  /// "250ms", "2h".
  package static func reading(_ text: String) throws(ValueError) -> Duration {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let unit = units[String(text[number.endIndex...])], let billionths = billionths(number)
    else { throw ValueError("not a duration such as 30, 1.5, 250ms, 5m or 2h") }
    guard billionths * unit / 1_000_000_000 <= longest else {
      throw ValueError("longer than a hundred years")
    }
    return .nanoseconds(Int64(billionths * unit / 1_000_000_000))
  }

  /// Nanoseconds in a unit.
  private static let units: [String: Int128] = [
    "": 1_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "m": 60_000_000_000,
    "h": 3_600_000_000_000, "d": 86_400_000_000_000,
  ]

  /// A hundred years in nanoseconds.
  private static let longest: Int128 = 3_155_760_000_000_000_000

  // More than a hundred years of milliseconds is refused here, so that no product overflows.
  private static func billionths(_ number: Substring) -> Int128? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
      let whole = Int64(parts[0]), whole <= 10_000_000_000_000
    else { return nil }
    guard parts.count == 2 else { return Int128(whole) * 1_000_000_000 }
    guard parts[1].count <= 9,
      let fraction = Int64(parts[1] + String(repeating: "0", count: 9 - parts[1].count))
    else { return nil }
    return Int128(whole) * 1_000_000_000 + Int128(fraction)
  }
}
