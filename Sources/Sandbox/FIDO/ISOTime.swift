import Primitives

/// A moment as ISO 8601 writes it, in UTC.
enum ISOTime {
  static func text(_ seconds: Int) -> String { Timestamp(Int64(seconds)).description }
}
