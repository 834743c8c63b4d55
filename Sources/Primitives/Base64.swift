/// Base64 in both alphabets of RFC 4648, read strictly.
package enum Base64 {
  package enum Alphabet: Sendable {
    /// `+` and `/`, padded with `=`.
    case standard
    /// `-` and `_`, without padding.
    case url
  }

  package static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard) -> String {
    let digits = alphabet == .url ? urlDigits : standardDigits
    let capacity = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: capacity) { output in
      var position = 0
      func put(_ value: UInt32, digits count: Int) {
        for index in 0..<count {
          output[position + index] = digits[Int(value >> (18 - 6 * UInt32(index)) & 63)]
        }
        position += count
      }
      var index = 0
      while index + 3 <= bytes.count {
        let group =
          UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
        put(group, digits: 4)
        index += 3
      }
      let rest = bytes.count - index
      guard rest > 0 else { return position }
      let low = rest == 2 ? UInt32(bytes[index + 1]) << 8 : 0
      put(UInt32(bytes[index]) << 16 | low, digits: rest + 1)
      guard alphabet == .standard else { return position }
      while position < capacity {
        output[position] = UInt8(ascii: "=")
        position += 1
      }
      return position
    }
  }

  /// The bytes that the text stands for; `nil` unless the text is what ``encode(_:alphabet:)``
  /// would write: no white space, no foreign character, no stray bit behind the last byte.
  package static func decode(
    _ text: some Collection<UInt8>, alphabet: Alphabet = .standard
  ) -> [UInt8]? {
    let decoded: [UInt8]?? = text.withContiguousStorageIfAvailable { decode($0, alphabet) }
    return decoded ?? Array(text).withUnsafeBufferPointer { decode($0, alphabet) }
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
    var count = text.count
    if alphabet == .standard {
      guard count % 4 == 0 else { return nil }
      for _ in 0..<2 where count > 0 && text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    }
    guard count % 4 != 1 else { return nil }
    let values = alphabet == .url ? urlValues : standardValues
    var valid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 2) { output, written in
      var group: UInt32 = 0
      // Bit 7 of a value marks a character outside the alphabet.
      var seen: UInt8 = 0
      for index in 0..<count {
        let value = values[Int(text[index])]
        seen |= value
        group = group << 6 | UInt32(value & 63)
        if index & 3 == 3 {
          output[written] = UInt8(truncatingIfNeeded: group >> 16)
          output[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
          output[written + 2] = UInt8(truncatingIfNeeded: group)
          written += 3
        }
      }
      switch count & 3 {
      case 2:
        output[written] = UInt8(truncatingIfNeeded: group >> 4)
        written += 1
        valid = group & 0xF == 0
      case 3:
        output[written] = UInt8(truncatingIfNeeded: group >> 10)
        output[written + 1] = UInt8(truncatingIfNeeded: group >> 2)
        written += 2
        valid = group & 0x3 == 0
      default: break
      }
      valid = valid && seen & 0x80 == 0
    }
    return valid ? bytes : nil
  }

  private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let standardDigits = Array((common + "+/").utf8)
  private static let urlDigits = Array((common + "-_").utf8)
  private static let standardValues = values(of: standardDigits)
  private static let urlValues = values(of: urlDigits)

  private static func values(of digits: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 0x80, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }
}

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
      guard let value = digit.hexValue else { return nil }
      if let upper = high.take() { bytes.append(upper << 4 | value) } else { high = value }
    }
    return high == nil ? bytes : nil
  }
}
