/// An instant in whole seconds since 1970-01-01T00:00:00Z, as documents carry it.
///
/// On disk and in claims it is a number (RFC 7519 NumericDate); for programs and
/// people it is ISO 8601 in UTC.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970.
  public let seconds: Int64

  /// Makes an instant from seconds since 1970.
  public init(_ seconds: Int64) { self.seconds = seconds }

  /// Reads `2026-11-21`, `2026-11-21T01:02:03Z` or the same with `+01:00`.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]),
      let day = digits(bytes[8..<10]), (1...12).contains(month),
      (1...daysIn(month: month, year: year)).contains(day)
    else { return nil }
    var seconds = dayNumber(year: year, month: month, day: day) * 86400
    if bytes.count > 10 {
      guard let time = timeOfDay(bytes[11...]), "Tt ".utf8.contains(bytes[10]) else { return nil }
      seconds += time
    }
    self.init(seconds)
  }

  /// ISO 8601 in UTC: `2026-11-21T01:02:03Z`.
  public var description: String {
    let clamped = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let days = clamped >= 0 ? clamped / 86400 : (clamped - 86399) / 86400
    let rest = clamped - days * 86400
    let date = civil(dayNumber: days)
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(time.joined(separator: ":"))Z"
  }

  /// The date alone: `2026-11-21`.
  public var date: String { String(description.prefix(10)) }

  /// The instant that many seconds later; at the ends of the range, the last one.
  public static func + (instant: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(instant.seconds.addingClamped(seconds))
  }

  /// The instant that much later; at the ends of the range, the last one.
  public static func + (instant: Timestamp, span: TimeSpan) -> Timestamp { instant + span.seconds }

  /// The instant that many seconds earlier; at the ends of the range, the first one.
  public static func - (instant: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(instant.seconds.subtractingClamped(seconds))
  }

  /// The seconds from another instant to this one; negative when this one is earlier.
  public func seconds(since other: Timestamp) -> Int64 {
    seconds.subtractingClamped(other.seconds)
  }

  /// Orders by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}

extension Timestamp: ExpressibleByIntegerLiteral {
  /// Makes an instant from seconds since 1970.
  public init(integerLiteral seconds: Int64) { self.init(seconds) }
}

private func timeOfDay(_ bytes: ArraySlice<UInt8>) -> Int64? {
  let bytes = Array(bytes)
  guard bytes.count >= 9, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"),
    let hours = digits(bytes[0..<2]), let minutes = digits(bytes[3..<5]),
    let seconds = digits(bytes[6..<8]), hours < 24, minutes < 60, seconds <= 60
  else { return nil }
  let time = hours * 3600 + minutes * 60 + seconds
  var rest = bytes[8...]
  if rest.first == UInt8(ascii: ".") {
    rest = rest.dropFirst().drop(while: \.isDigit)
  }
  if rest.count == 1, let zone = rest.first, "Zz".utf8.contains(zone) { return time }
  guard rest.count == 6, let sign = rest.first, "+-".utf8.contains(sign),
    rest.dropFirst(3).first == UInt8(ascii: ":"),
    let hourOffset = digits(rest.dropFirst().prefix(2)), let minuteOffset = digits(rest.suffix(2)),
    hourOffset < 24, minuteOffset < 60
  else { return nil }
  let offset = hourOffset * 3600 + minuteOffset * 60
  return sign == UInt8(ascii: "+") ? time - offset : time + offset
}

private func digits(_ bytes: ArraySlice<UInt8>) -> Int64? {
  var value: Int64 = 0
  for byte in bytes {
    guard byte.isDigit else { return nil }
    value = value * 10 + Int64(byte - UInt8(ascii: "0"))
  }
  return value
}

private func padded(_ value: Int64, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

private func daysIn(month: Int64, year: Int64) -> Int64 {
  let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  switch month {
  case 2: return leap ? 29 : 28
  case 4, 6, 9, 11: return 30
  default: return 31
  }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, counting years from March.
private func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
  let shifted = month <= 2 ? year - 1 : year
  let era = (shifted >= 0 ? shifted : shifted - 399) / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

private func civil(dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let days = dayNumber + 719_468
  let era = (days >= 0 ? days : days - 146_096) / 146_097
  let dayOfEra = days - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return (
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
    dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  )
}

/// A length of time as people write it, with its unit: `90s`, `1.5h`, `30d`, `2w`.
public struct TimeSpan: Sendable, Hashable, CustomStringConvertible {
  /// The time.
  public let duration: Duration

  /// The whole seconds of the time.
  public var seconds: Int64 { duration.components.seconds }

  /// Why a text is not a time span.
  public enum Mistake: Error, Sendable, Hashable {
    /// It is not a number with a unit.
    case malformed
    /// It is a number without a unit, other than 0.
    case withoutUnit
    /// It is longer than a hundred years.
    case tooLong
  }

  /// Makes a time span of that many days.
  public static func days(_ count: Int64) -> TimeSpan { TimeSpan(seconds: count * 86_400) }

  /// Makes a time span of that many hours.
  public static func hours(_ count: Int64) -> TimeSpan { TimeSpan(seconds: count * 3600) }

  /// Seconds: `1209600s`.
  public var description: String { "\(seconds)s" }

  private init(seconds: Int64) { duration = .seconds(seconds) }

  /// Reads a number, with up to nine digits after a point, and `ms`, `s`, `m`, `h`, `d` or `w` (weeks).
  ///
  /// A number without a unit is refused, because a reader of `30` may mean days or seconds; only 0 needs none.
  ///
  /// - Parameters:
  ///   - text: what is read.
  ///   - takesSeconds: whether a number without a unit is seconds.
  /// - Throws: ``Mistake`` if it is not a time span.
  public init(_ text: String, takesSeconds: Bool = false) throws(Mistake) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = String(text[number.endIndex...])
    guard let size = Self.units[unit] else { throw .malformed }
    let billionths = try Self.billionths(number)
    guard billionths * size / 1_000_000_000 <= Self.longest else { throw .tooLong }
    guard takesSeconds || !unit.isEmpty || billionths == 0 else { throw .withoutUnit }
    duration = .nanoseconds(Int64(billionths * size / 1_000_000_000))
  }

  /// Nanoseconds in a unit.
  private static let units: [String: Int128] = [
    "": 1_000_000_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000,
    "h": 3_600_000_000_000, "d": 86_400_000_000_000, "w": 604_800_000_000_000,
  ]

  /// A hundred years in nanoseconds.
  private static let longest: Int128 = 3_155_760_000_000_000_000

  // More than a hundred years of milliseconds is refused here, so that no product overflows.
  private static func billionths(_ number: Substring) throws(Mistake) -> Int128 {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
      parts.count == 1 || parts[1].count <= 9
    else { throw .malformed }
    guard let whole = Int64(parts[0]), whole <= 10_000_000_000_000 else { throw .tooLong }
    let digits =
      parts.count == 1 ? "0" : parts[1] + String(repeating: "0", count: 9 - parts[1].count)
    return Int128(whole) * 1_000_000_000 + Int128(Int64(digits) ?? 0)
  }
}

/// Arithmetic with numbers that a file or a server chose: none of them may end the process.
extension Int64 {
  /// The sum, or the nearest number that fits.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number that fits.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
