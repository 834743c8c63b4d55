/// Addresses as people write them.
package enum IPAddressText {
  /// Dotted decimal for 4 bytes, RFC 5952 for 16; `nil` for any other number.
  package static func of(_ bytes: some Collection<UInt8>) -> String? {
    let bytes = Array(bytes)
    switch bytes.count {
    case 4: return bytes.map { String($0) }.joined(separator: ".")
    case 16: return version6(bytes)
    default: return nil
    }
  }

  private static func version6(_ bytes: [UInt8]) -> String {
    let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let gap = longestRunOfZeros(groups) else { return text(0..<8) }
    return text(0..<gap.lowerBound) + "::" + text(gap.upperBound..<8)
  }

  /// The first of the longest runs of at least two zero groups.
  private static func longestRunOfZeros(_ groups: [UInt16]) -> Range<Int>? {
    var longest = 0..<1
    var start = 0
    for end in 0...groups.count where end == groups.count || groups[end] != 0 {
      if end - start > longest.count { longest = start..<end }
      start = end + 1
    }
    return longest.count >= 2 ? longest : nil
  }
}
