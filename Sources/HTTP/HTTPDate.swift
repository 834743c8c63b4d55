public import Primitives

/// Dates of header fields, which servers write in many ways.
///
/// The method is that of cookies (RFC 6265 section 5.1.1), which also reads the three forms that a
/// recipient must accept in any field (RFC 9110 section 5.6.7). The name of the day is not compared
/// with the date, and the time is taken for GMT.
public enum HTTPDate {
  /// The end of the year 9999, the last time that a document can have.
  static let last: Timestamp = 253_402_300_799

  /// Reads a date; `nil` if the text is not one.
  public static func read(_ text: String) -> Timestamp? {
    var parts = Parts()
    for token in text.utf8.split(whereSeparator: isDelimiter) { parts.read(Array(token)) }
    guard var year = parts.year, let month = parts.month, let day = parts.day,
      let time = parts.time, time.2 < 60
    else { return nil }
    // Of two digits, 70 to 99 belong to the 20th century.
    if (0...99).contains(year) { year += year < 70 ? 2000 : 1900 }
    guard year >= 1601 else { return nil }
    let numbers = [month, day, time.0, time.1, time.2].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return Timestamp(
      "\(year)-\(numbers[0])-\(numbers[1])T\(numbers[2]):\(numbers[3]):\(numbers[4])Z")
  }

  /// Everything but letters, digits and the colon.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    !(byte.isDigit || byte.isLetter || byte == UInt8(ascii: ":") || byte >= 0x80)
  }

  private struct Parts {
    var time: (Int, Int, Int)?
    var day: Int?
    var month: Int?
    var year: Int?

    mutating func read(_ token: [UInt8]) {
      if time == nil, let value = Self.time(token) {
        time = value
      } else if day == nil, let value = Self.number(token, digits: 1...2) {
        day = value
      } else if month == nil, let value = Self.month(token) {
        month = value
      } else if year == nil, let value = Self.number(token, digits: 2...4) {
        year = value
      }
    }

    private static func time(_ token: [UInt8]) -> (Int, Int, Int)? {
      let fields = token.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[0].allSatisfy(\.isDigit), fields[1].allSatisfy(\.isDigit),
        let hour = number(Array(fields[0]), digits: 1...2),
        let minute = number(Array(fields[1]), digits: 1...2),
        let second = number(Array(fields[2]), digits: 1...2)
      else { return nil }
      return (hour, minute, second)
    }

    /// The number at the beginning of a token; `nil` if it has more or fewer digits.
    private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
      let leading = token.prefix(while: \.isDigit)
      guard digits.contains(leading.count) else { return nil }
      return leading.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func month(_ token: [UInt8]) -> Int? {
      let name = String(decoding: token.prefix(3), as: UTF8.self).asciiLowercased
      return names.firstIndex(of: name).map { $0 + 1 }
    }

    private static let names = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
  }
}

extension HTTPResponse {
  /// The time of `Retry-After`: seconds, or a date.
  package func retryAfter(at now: Timestamp) -> Duration? {
    guard let text = fields["Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
      return .seconds(min(Int64(text) ?? .max, 1 << 31))
    }
    return HTTPDate.read(text).map { .seconds(max(0, min($0.seconds(since: now), 1 << 31))) }
  }
}
