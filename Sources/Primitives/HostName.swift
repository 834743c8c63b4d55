/// The names of hosts: the one grammar for URLs, pins and certificates.
public enum HostName {
  /// The one spelling of a host: lower case, no trailing dot, no brackets, A-labels (`xn--…`) for
  /// international names.
  ///
  /// - Returns: `nil` for what is neither an IP address nor a DNS name of letters, digits, hyphens
  ///   and underscores.
  public static func normalized(_ text: String) -> String? {
    guard InternationalName.isMeant(by: text) else { return normalizedASCII(text) }
    // Digits of other scripts would make an address that no other program reads.
    return (try? InternationalName.ascii(text)).flatMap(normalizedASCII)
      .flatMap { isAddress($0) ? nil : $0 }
  }

  /// The host for libcurl: brackets and the final dot of an absolute name stay.
  ///
  /// - Returns: `nil` for what ``normalized(_:)`` refuses.
  package static func spelled(_ text: String) -> String? {
    guard let host = normalized(text) else { return nil }
    if text.hasPrefix("[") { return bracketed(host) }
    return InternationalName.isMeant(by: text) ? host : text.asciiLowercased
  }

  private static func normalizedASCII(_ text: String) -> String? {
    var bytes = text.utf8.map(\.asciiLowercased)
    if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
      return version6(bytes.dropFirst().dropLast())
    }
    if let address = version6(bytes[...]) { return address }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    guard !bytes.isEmpty, bytes.count <= 253 else { return nil }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy(isLabel) else { return nil }
    // Other spellings of an IPv4 address (hexadecimal, fewer parts) would be read differently
    // by those who resolve them.
    guard !looksLikeAddress(labels) || isAddress(String(decoding: bytes, as: UTF8.self))
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The spelling of an IPv6 address; `nil` for anything else.
  private static func version6(_ text: ArraySlice<UInt8>) -> String? {
    guard text.contains(UInt8(ascii: ":")) else { return nil }
    return IPAddress(String(decoding: text, as: UTF8.self))?.description
  }

  /// A normalised host as a URL has it: an IPv6 address is in brackets (RFC 3986 section 3.2.2).
  package static func bracketed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }

  /// Whether a normalised host is an IP address.
  public static func isAddress(_ host: String) -> Bool { IPAddress(host) != nil }

  /// Whether the last label makes it an address to some resolver (WHATWG URL, "ends in a number").
  private static func looksLikeAddress(_ labels: [ArraySlice<UInt8>]) -> Bool {
    guard let last = labels.last else { return false }
    return last.allSatisfy(\.isDigit) || last.starts(with: Array("0x".utf8))
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy {
        $0.isLowerLetter || $0.isDigit || $0 == hyphen || $0 == UInt8(ascii: "_")
      }
  }
}
