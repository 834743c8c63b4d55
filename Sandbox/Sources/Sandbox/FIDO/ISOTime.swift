import FoundationEssentials

/// A moment as ISO 8601 writes it, in UTC.
enum ISOTime {
  static func text(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).ISO8601Format()
  }
}
