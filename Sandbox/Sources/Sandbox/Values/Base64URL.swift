/// Base64 with the alphabet for URLs and without padding (RFC 4648 section 5).
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Base64.encode(bytes, alphabet: alphabet, padded: false)
  }

  /// The bytes of a text without padding, or nothing when it has a foreign character.
  static func decode(_ text: String) -> [UInt8]? { Base64.decode(text, alphabet: alphabet) }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

/// Base64 in any of its alphabets.
enum Base64 {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    encode(bytes, alphabet: alphabet, padded: true)
  }

  static func decode(_ text: String) -> [UInt8]? {
    let bare = text.split(separator: "=", omittingEmptySubsequences: true).first ?? ""
    return decode(String(bare), alphabet: alphabet)
  }

  static func encode(_ bytes: some Sequence<UInt8>, alphabet: [UInt8], padded: Bool) -> String {
    var text: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(pending >> UInt32(bits) & 0x3f)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(pending << UInt32(6 - bits) & 0x3f)]) }
    while padded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: String, alphabet: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      pending = pending << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(pending >> UInt32(bits) & 0xff))
      }
    }
    return bits >= 6 ? nil : bytes
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
