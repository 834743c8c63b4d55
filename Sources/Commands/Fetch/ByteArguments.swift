import Arguments
import Primitives

/// Parts of a resource as they are typed: `0-499`, `500-` or `-500`, or several with commas between
/// (RFC 9110 section 14.1.2).
struct ByteRanges: Sendable, ArgumentValue {
  /// The value of the field `Range`.
  let field: String

  static func reading(_ text: String) throws(ValueError) -> ByteRanges {
    let ranges = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard ranges.allSatisfy(isRange) else {
      throw ValueError("not a range such as 0-499, 500- or -500")
    }
    return ByteRanges(field: "bytes=\(text)")
  }

  private static func isRange(_ text: Substring.UTF8View) -> Bool {
    let ends = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy(\.isDigit) }) else { return false }
    let (first, last) = (Int64(Substring(ends[0])), Int64(Substring(ends[1])))
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): return false
    case (true, false): return last ?? 0 > 0
    case (false, true): return first != nil
    case (false, false): return first.flatMap { first in last.map { first <= $0 } } ?? false
    }
  }
}

/// A number of bytes as it is typed: digits, and `K`, `M` or `G` for powers of 1024.
struct ByteSize: Sendable, ArgumentValue {
  let bytes: Int64

  static func reading(_ text: String) throws(ValueError) -> ByteSize {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    let shift: Int64? =
      switch text[digits.endIndex...] {
      case "": 0
      case "k", "K": 10
      case "m", "M": 20
      case "g", "G": 30
      default: nil
      }
    guard let shift, let number = Int64(String(digits) ?? ""), number <= Int64.max >> shift else {
      throw ValueError("not a size such as 5000, 100K, 20M or 2G")
    }
    return ByteSize(bytes: number << shift)
  }
}
