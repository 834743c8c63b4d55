import Primitives

/// Base64 with the alphabet for URLs and without padding (RFC 4648 section 5).
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Base64.encode(Array(bytes), alphabet: .url)
  }

  /// The bytes of a text without padding, or nothing when it has a foreign character.
  static func decode(_ text: String) -> [UInt8]? { Base64.decode(text.utf8, alphabet: .url) }
}

extension Base64 {
  /// The bytes of a text whose padding may be left out.
  static func decode(_ text: String) -> [UInt8]? {
    let bare = text.prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - bare.count % 4) % 4)
    return decode((bare + padding).utf8)
  }
}
