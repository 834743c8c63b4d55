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
    try reading(text, "a time span such as 12h, 30d or 2w")
  }

  fileprivate static func reading(
    _ text: String, takesSeconds: Bool = false, _ expected: String
  ) throws(ValueError) -> TimeSpan {
    do {
      return try TimeSpan(text, takesSeconds: takesSeconds)
    } catch .withoutUnit {
      throw ValueError("a unit is missing: \(text)d are days, \(text)w weeks, \(text)h hours")
    } catch .tooLong {
      throw ValueError("longer than a hundred years")
    } catch {
      throw ValueError("not \(expected)")
    }
  }
}

extension Duration: ArgumentValue {
  /// A time span whose default is in seconds, so that a bare number is seconds too.
  package static func reading(_ text: String) throws(ValueError) -> Duration {
    try TimeSpan.reading(text, takesSeconds: true, "a time span such as 30, 1.5, 250ms, 5m or 2h")
      .duration
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

extension ArgumentValue where Self: FixedWidthInteger & Sendable {
  /// Reads a number of a range.
  package static func within(
    _ range: ClosedRange<Self>
  ) -> @Sendable (String) throws(ValueError) -> Self {
    { (text) throws(ValueError) in
      guard let number = try? reading(text), range.contains(number) else {
        throw ValueError("not a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

extension Int: ArgumentValue {}
extension Int64: ArgumentValue {}
extension UInt16: ArgumentValue {}
