extension String {
  /// Whether the text contains another one, compared byte by byte.
  ///
  /// The library's `contains(_:)` for text brings the regular expression engine into the program: a
  /// megabyte that every process would relocate.
  package func containsText(_ other: String) -> Bool { self[...].containsText(other) }
}

extension Substring {
  /// Whether the text contains another one, compared byte by byte.
  package func containsText(_ other: String) -> Bool {
    let wanted = Array(other.utf8)
    guard let first = wanted.first else { return true }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension StringProtocol {
  /// The words of a list that spaces separate.
  package var words: [String] { split(separator: " ").map { String($0) } }
}
