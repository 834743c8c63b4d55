/// The names of hosts, as pin sets are looked up by them.
public enum HostName {
  /// The one spelling of a host: lower case, no trailing dot, no brackets.
  ///
  /// - Returns: `nil` for what is neither an IP address nor a DNS name of ASCII
  ///   letters, digits, hyphens and underscores; an international name must come
  ///   as its A-label (`xn--…`).
  public static func normalized(_ text: String) -> String? {
    var bytes = text.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
      bytes = Array(bytes.dropFirst().dropLast())
      return IPAddress.version6(bytes).flatMap(IPAddress.text(version6:))
    }
    if let address = IPAddress.version6(bytes) { return IPAddress.text(version6: address) }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    guard !bytes.isEmpty, bytes.count <= 253 else { return nil }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy(isLabel) else { return nil }
    let host = String(decoding: bytes, as: UTF8.self)
    // Other spellings of an IPv4 address (hexadecimal, fewer parts) would be read differently
    // by those who resolve them.
    guard !IPAddress.looksLikeVersion4(labels) || isAddress(host) else { return nil }
    return host
  }

  /// Whether a normalised host is an IP address.
  public static func isAddress(_ host: String) -> Bool {
    let bytes = Array(host.utf8)
    return IPAddress.isVersion4(bytes) || IPAddress.version6(bytes) != nil
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen,
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
