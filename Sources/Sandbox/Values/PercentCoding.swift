import Primitives

/// Percent-encoding (RFC 3986 section 2.1).
enum PercentCoding {
  static func encode(_ text: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) {
        out.append(byte)
      } else {
        out.append(UInt8(ascii: "%"))
        out.append(contentsOf: Hex.encode([byte], uppercase: true).utf8)
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
        let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
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
