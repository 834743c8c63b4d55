internal import OpenSSL

/// Reads IP addresses in their usual spellings, and in no other.
enum IPAddress {
  /// Whether it is four decimal numbers without leading zeros.
  static func isVersion4(_ text: [UInt8]) -> Bool { version4(text[...]) != nil }

  /// Whether the last label makes it an address to some resolver (WHATWG URL, "ends in a number").
  static func looksLikeVersion4(_ labels: [ArraySlice<UInt8>]) -> Bool {
    guard let last = labels.last else { return false }
    return last.allSatisfy(isDigit) || last.starts(with: Array("0x".utf8))
  }

  /// The eight groups of an IPv6 address (RFC 4291 section 2.2) without zone.
  static func version6(_ text: [UInt8]) -> [UInt16]? {
    guard text.contains(UInt8(ascii: ":")), text.count <= 45 else { return nil }
    guard let gap = firstGap(text) else { return groups(text[...]).flatMap { full($0) } }
    guard let head = groups(text[..<gap], last: false), let tail = groups(text[(gap + 2)...]),
      head.count + tail.count < 8
    else { return nil }
    return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  /// The spelling of RFC 5952.
  static func text(version6 groups: [UInt16]) -> String? {
    IPAddressText.of(groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  private static func full(_ groups: [UInt16]) -> [UInt16]? { groups.count == 8 ? groups : nil }

  private static func firstGap(_ text: [UInt8]) -> Int? {
    text.indices.dropLast().first { text[$0] == UInt8(ascii: ":") && text[$0 + 1] == text[$0] }
  }

  /// Groups between single colons; where they end the address, the last may be dotted decimal.
  private static func groups(_ text: ArraySlice<UInt8>, last: Bool = true) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var groups: [UInt16] = []
    for (index, part) in parts.enumerated() {
      if let group = group(part) {
        groups.append(group)
      } else if last, index == parts.count - 1, let four = version4(part) {
        groups.append(UInt16(four[0]) << 8 | UInt16(four[1]))
        groups.append(UInt16(four[2]) << 8 | UInt16(four[3]))
      } else {
        return nil
      }
    }
    return groups
  }

  private static func group(_ part: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(part.count), part.first != UInt8(ascii: "+") else { return nil }
    return UInt16(String(decoding: part, as: UTF8.self), radix: 16)
  }

  private static func version4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard part.allSatisfy(isDigit), part.count == 1 || part.first != UInt8(ascii: "0"),
        let byte = UInt8(String(decoding: part, as: UTF8.self))
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
