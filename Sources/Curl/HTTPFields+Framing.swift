import HTTP
import Primitives

// What decides where the body of a response ends (RFC 9112 section 6).
extension HTTPFields {
  /// Whether `Content-Length` is absent, or one number of bytes however often it is repeated.
  ///
  /// libcurl ignores numbers that are too large, and takes one of several (RFC 9112 section 6.3).
  var hasOneLength: Bool {
    let values = values(of: "Content-Length")
    if values.isEmpty { return true }
    if values.count == 1, values[0].utf8.allSatisfy(\.isDigit) { return Int64(values[0]) != nil }
    let lengths = members(of: "Content-Length")
    guard let first = lengths.first else { return false }
    return first.utf8.allSatisfy(\.isDigit) && Int64(first) != nil
      && lengths.allSatisfy { $0 == first }
  }

  /// Whether both a length and chunks say where the body ends, as in a response that was put into
  /// another (RFC 9112 section 6.3).
  var hasTwoEnds: Bool {
    contains("Content-Length")
      && values(of: "Transfer-Encoding").contains { $0.asciiLowercased.containsText("chunked") }
  }

  /// The first transfer coding other than `chunked` and `identity` (the old name of no coding).
  var unwantedTransferCoding: String? {
    members(of: "Transfer-Encoding")
      .first { !["chunked", "identity"].contains($0.asciiLowercased) }
      .map { String($0.prefix(40)) }
  }
}
