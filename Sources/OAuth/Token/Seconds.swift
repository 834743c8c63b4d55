package import JSON

extension JSON {
  /// A number of seconds, not negative; `nil` for anything else.
  ///
  /// Some servers write it as text, and some with a fraction.
  package var seconds: Int64? {
    if let text = string {
      guard text.utf8.first != UInt8(ascii: " "), let value = try? JSON(parsing: text),
        case .number = value
      else { return nil }
      return value.seconds
    }
    guard let seconds = int ?? double.map({ $0 < 0 ? -1 : Int64(min($0, 1e12)) }), seconds >= 0
    else { return nil }
    return seconds
  }
}
