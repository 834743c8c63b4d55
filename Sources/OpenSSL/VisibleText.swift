/// Text of foreign origin that is safe to show on a terminal.
package enum VisibleText {
  /// Replaces what acts instead of showing (control and format characters, line
  /// separators) by a backslash and the hexadecimal digits of its UTF-8.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: acts) else { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      guard acts(scalar) else {
        visible.unicodeScalars.append(scalar)
        continue
      }
      for byte in String(scalar).utf8 { visible += "\\" + Hex.encode([byte], uppercase: true) }
    }
    return visible
  }

  /// The same, from bytes that may be no UTF-8.
  package static func of(utf8 bytes: some Sequence<UInt8>) -> String {
    of(String(decoding: Array(bytes), as: UTF8.self))
  }

  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}

/// Hexadecimal digits.
package enum Hex {
  package static func encode(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
    let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of an even number of digits in either case; `nil` for anything else.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text {
      guard let value = value(of: digit) else { return nil }
      if let upper = high.take() { bytes.append(upper << 4 | value) } else { high = value }
    }
    return high == nil ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
