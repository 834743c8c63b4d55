import FoundationEssentials

/// Base64 with the alphabet for URLs and without padding (RFC 4648 section 5).
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// The bytes of a text without padding, or nothing when it has a foreign character.
  static func decode(_ text: String) -> [UInt8]? {
    guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
    return Base64.decode(text.replacing("-", with: "+").replacing("_", with: "/"))
  }
}

/// Base64 with the usual alphabet; the padding may be left out.
enum Base64 {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  static func decode(_ text: String) -> [UInt8]? {
    let bare = text.prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - bare.count % 4) % 4)
    return Data(base64Encoded: bare + padding).map(Array.init)
  }
}
