import JSON

extension JSON {
  /// A number of seconds, not negative; `nil` for anything else.
  ///
  /// Some servers write it as text, and some with a fraction.
  var seconds: Int64? {
    if let text = string {
      guard case .number? = try? JSON(parsing: text), text.utf8.first != UInt8(ascii: " ") else {
        return nil
      }
      return (try? JSON(parsing: text))?.seconds
    }
    guard let seconds = int ?? double.map({ $0 < 0 ? -1 : Int64(min($0, 1e12)) }), seconds >= 0
    else { return nil }
    return seconds
  }
}
