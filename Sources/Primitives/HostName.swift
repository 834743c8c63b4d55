import CPOSIX

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
    guard bytes.count <= 253 else { return nil }
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

/// Names with letters outside ASCII: U-labels for people, A-labels (`xn--…`) for DNS, TLS and HTTP.
///
/// The conversion is libidn2's, as in curl: IDNA 2008 (RFC 5891) after the mapping of UTS #46, not
/// transitional. The library is opened when such a name is first met.
public enum InternationalName {
  /// Why a name was not converted.
  public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong: lower case, for people.
    public let description: String
  }

  /// Whether a text has a character outside ASCII.
  public static func isMeant(by text: String) -> Bool { text.utf8.contains { $0 >= 0x80 } }

  /// The name with A-labels.
  ///
  /// - Throws: ``Refusal`` if libidn2 is not installed, for what is not a name, for a name that
  ///   differs after its conversion back, and for a label that becomes one of ASCII letters only.
  public static func ascii(_ name: String) throws(Refusal) -> String {
    let result = try converted(name, cposix_idn_ascii)
    let back = try converted(result, cposix_idn_unicode)
    guard try converted(back, cposix_idn_ascii) == result else {
      throw Refusal(description: "its A-label \(result) does not lead back to it")
    }
    let labels = name.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isDot)
    let results = result.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
    // A name that only looks like an ASCII name is a mistake or an attack.
    guard !labels.allSatisfy({ $0.allSatisfy(\.isASCII) }),
      labels.elementsEqual(
        results,
        by: { label, result in
          label.allSatisfy(\.isASCII) || result.starts(with: "xn--".unicodeScalars)
        })
    else { throw Refusal(description: "it looks like \(VisibleText.of(result)), but is not") }
    return result
  }

  /// Why an international name was refused, as a clause of a message; empty for names of ASCII and for
  /// valid names.
  public static func clause(about name: String) -> String {
    guard isMeant(by: name) else { return "" }
    do {
      let host = try ascii(name)
      return HostName.normalized(name) == nil ? ": it would be \(VisibleText.of(host))" : ""
    } catch {
      return ": \(error)"
    }
  }

  /// The name with U-labels of a normalised host; `nil` if it has none, or if they are not
  /// converted back to the host.
  public static func unicode(_ host: String) -> String? {
    let hasLabel = host.hasPrefix("xn--") || host.containsText(".xn--")
    guard hasLabel, let name = try? converted(host, cposix_idn_unicode),
      (try? converted(name, cposix_idn_ascii)) == host
    else { return nil }
    return VisibleText.of(name)
  }

  /// The full stop, and those that UTS #46 maps to it.
  private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
    [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"].contains(scalar)
  }

  private typealias Conversion = (
    UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int
  ) -> Int32

  private static func converted(
    _ name: String, _ convert: Conversion
  ) throws(Refusal) -> String {
    // The name would end at a zero byte.
    guard !name.utf8.contains(0) else { throw Refusal(description: "it has a zero byte") }
    // Four bytes of UTF-8 for each of 255 characters, and the zero byte.
    let size = 1024
    var result: Int32 = 0
    let text = String(unsafeUninitializedCapacity: size) { buffer in
      buffer[0] = 0
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: size) {
        result = convert(name, $0, size)
      }
      return buffer.firstIndex(of: 0) ?? 0
    }
    switch cposix_idn_result(rawValue: UInt32(result)) {
    case CPOSIX_IDN_DONE: return text
    case CPOSIX_IDN_MISSING:
      throw Refusal(
        description: "libidn2.so.0, which converts international names, is not installed; "
          + "write its A-label (xn--…)")
    default: throw Refusal(description: text)
    }
  }
}

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
    // The text of C would end there.
    guard !text.utf8.contains(0) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = Int(cposix_address_read(text, buffer.baseAddress))
    }
    self.init(bytes: bytes)
  }

  /// Whether it is this machine: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Dotted decimal, or the spelling of RFC 5952.
  public var description: String {
    var text = [CChar](repeating: 0, count: 46)
    cposix_address_write(bytes, Int32(bytes.count), &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
