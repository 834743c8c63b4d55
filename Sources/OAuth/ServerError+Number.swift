import JSON

extension ServerError {
  /// The number that servers of the Onegini family put beside an OAuth error.
  ///
  /// How they spell its name is not public, so both usual ways are taken, and only
  /// numbers in their ranges: what other vendors number means something else.
  static func number(in document: JSON?) -> Int? {
    for name in ["error_code", "errorCode"] {
      guard let value = document?[name] else { continue }
      guard let number = value.int ?? value.string.flatMap({ Int64($0) }) else { continue }
      if (9000...9099).contains(number) || (10_000...10_099).contains(number) {
        return Int(number)
      }
    }
    return nil
  }
}
