internal import Primitives

/// The range of a resource that a body has: the field `Content-Range` (RFC 9110 section 14.4).
public struct ContentRange: Sendable, Hashable {
  /// The bytes of the part; `nil` if the server could not send the requested part.
  public let bytes: ClosedRange<Int64>?
  /// The length of the whole resource; `nil` if the server does not know it.
  public let total: Int64?

  /// Makes a range.
  public init(bytes: ClosedRange<Int64>?, total: Int64?) {
    self.bytes = bytes
    self.total = total
  }

  /// Reads `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
  ///
  /// `nil` for another unit, and for a range that ends before it starts or after the resource ends:
  /// such a part must not be combined with another one.
  public init?(_ text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, String(Substring(words[0])).equalsIgnoringCase("bytes") else {
      return nil
    }
    let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    total = Self.number(parts[1])
    guard total != nil || parts[1].elementsEqual("*".utf8) else { return nil }
    if parts[0].elementsEqual("*".utf8), total != nil {
      bytes = nil
      return
    }
    let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    bytes = first...last
  }

  /// Digits without a sign.
  private static func number(_ text: Substring.UTF8View) -> Int64? {
    text.allSatisfy(\.isDigit) ? Int64(Substring(text)) : nil
  }
}

extension HTTPResponse {
  /// The `Content-Range` of the response; `nil` if it is missing, invalid or repeated.
  public var contentRange: ContentRange? {
    let values = fields.values(of: "Content-Range")
    return values.count == 1 ? ContentRange(values[0]) : nil
  }
}
