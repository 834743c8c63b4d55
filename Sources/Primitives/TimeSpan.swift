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
