/// Percent-encoding (RFC 3986 section 2.1).
enum PercentCoding {
  static func encode(_ text: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) {
        out.append(byte)
      } else {
        out.append(UInt8(ascii: "%"))
        out.append(contentsOf: Hex.encode([byte], upperCase: true).utf8)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Decodes what it can: a stray percent sign stays as it is.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = Hex.digit(bytes[index + 1]), let low = Hex.digit(bytes[index + 2])
      {
        out.append(high << 4 | low)
        index += 3
        continue
      }
      out.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
}

/// Bytes as hexadecimal digits.
enum Hex {
  static func encode(_ bytes: some Sequence<UInt8>, upperCase: Bool = false) -> String {
    let digits = Array((upperCase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
