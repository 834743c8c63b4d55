/// An IP address, read from its usual spellings and from no other.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// 4 bytes, or 16.
  public let bytes: [UInt8]

  /// Takes the bytes of an address; `nil` unless there are 4 or 16.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads an address: four decimal parts, or IPv6 (RFC 4291 section 2.2) without zone and brackets.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let address = IPAddress(version4: bytes[...]) ?? IPAddress(version6: bytes[...])
    else { return nil }
    self = address
  }

  /// Reads four decimal numbers without leading zeros.
  init?(version4 text: ArraySlice<UInt8>) {
    guard let bytes = fourParts(text) else { return nil }
    self.bytes = bytes
  }

  /// Reads an IPv6 address without zone.
  init?(version6 text: ArraySlice<UInt8>) {
    guard text.contains(UInt8(ascii: ":")), text.count <= 45, let groups = eightGroups(text)
    else { return nil }
    bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  /// Whether it is this machine: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Dotted decimal, or the spelling of RFC 5952.
  public var description: String {
    guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let gap = longestRunOfZeros(groups) else { return text(0..<8) }
    return text(0..<gap.lowerBound) + "::" + text(gap.upperBound..<8)
  }
}

private func fourParts(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard parts.count == 4 else { return nil }
  var bytes: [UInt8] = []
  for part in parts {
    guard part.allSatisfy(\.isDigit), part.count == 1 || part.first != UInt8(ascii: "0"),
      let byte = UInt8(String(decoding: part, as: UTF8.self))
    else { return nil }
    bytes.append(byte)
  }
  return bytes
}

private func eightGroups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
  let colon = UInt8(ascii: ":")
  let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
  guard let gap else { return groups(text).flatMap { $0.count == 8 ? $0 : nil } }
  guard let head = groups(text[..<gap], last: false), let tail = groups(text[(gap + 2)...]),
    head.count + tail.count < 8
  else { return nil }
  return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
}

/// Groups between single colons; where they end the address, the last may be dotted decimal.
private func groups(_ text: ArraySlice<UInt8>, last: Bool = true) -> [UInt16]? {
  guard !text.isEmpty else { return [] }
  let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
  var groups: [UInt16] = []
  for (index, part) in parts.enumerated() {
    if let group = group(part) {
      groups.append(group)
    } else if last, index == parts.count - 1, let four = fourParts(part) {
      groups.append(UInt16(four[0]) << 8 | UInt16(four[1]))
      groups.append(UInt16(four[2]) << 8 | UInt16(four[3]))
    } else {
      return nil
    }
  }
  return groups
}

/// One to four hexadecimal digits, and no sign.
private func group(_ part: ArraySlice<UInt8>) -> UInt16? {
  guard (1...4).contains(part.count) else { return nil }
  var value: UInt16 = 0
  for byte in part {
    guard let digit = byte.hexValue else { return nil }
    value = value << 4 | UInt16(digit)
  }
  return value
}

/// The first of the longest runs of at least two zero groups.
private func longestRunOfZeros(_ groups: [UInt16]) -> Range<Int>? {
  var longest = 0..<1
  var start = 0
  for end in 0...groups.count where end == groups.count || groups[end] != 0 {
    if end - start > longest.count { longest = start..<end }
    start = end + 1
  }
  return longest.count >= 2 ? longest : nil
}
