/// A length of time as people write it, with its unit: `90s`, `12h`, `30d`, `2w`.
public struct TimeSpan: Sendable, Hashable, CustomStringConvertible {
  /// The whole time in seconds.
  public let seconds: Int64

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

  init(seconds: Int64) { self.seconds = seconds }

  /// Reads a whole number with `s`, `m`, `h`, `d` or `w` (weeks), or `0`.
  ///
  /// A number without a unit is refused: a reader of `30` may mean days or seconds.
  public init(_ text: String) throws(Mistake) {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { throw .malformed }
    let unit = String(text[digits.endIndex...])
    guard let size = Self.units[unit] else { throw .malformed }
    guard let number = Int64(String(text[..<digits.endIndex])),
      number <= Self.longest / size
    else { throw .tooLong }
    guard !unit.isEmpty || number == 0 else { throw .withoutUnit }
    seconds = number * size
  }

  private static let units: [String: Int64] = [
    "": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]

  /// A hundred years, in seconds.
  private static let longest: Int64 = 3_155_760_000
}
