import Arguments

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
