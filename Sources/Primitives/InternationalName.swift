internal import CPOSIX

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
    guard labels.count == results.count, !labels.allSatisfy({ $0.allSatisfy(\.isASCII) }),
      zip(labels, results).allSatisfy({ label, result in
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
      name != host, (try? converted(name, cposix_idn_ascii)) == host
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
