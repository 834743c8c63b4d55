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
      guard let value = digit.hexValue else { return nil }
      if let upper = high.take() { bytes.append(upper << 4 | value) } else { high = value }
    }
    return high == nil ? bytes : nil
  }
}
