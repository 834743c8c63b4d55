/// Scopes as sets of words (RFC 6749 section 3.3), compared by their bytes.
enum Scope {
  static func words(_ scope: String?) -> Set<[UInt8]> {
    Set((scope ?? "").utf8.split(separator: UInt8(ascii: " ")).map { Array($0) })
  }

  /// The words of a scope that another one does not have, sorted.
  static func missing(in scope: String?, of wanted: String?) -> [String] {
    words(wanted).subtracting(words(scope)).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
