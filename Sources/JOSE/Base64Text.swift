import OpenSSL

/// Base64 with padding (RFC 4648 section 4), as HTTP Basic wants it.
package enum Base64Text {
  /// The encoded form.
  package static func encode(_ bytes: [UInt8]) -> String { Base64.encode(bytes) }

  /// The bytes; `nil` for what ``encode(_:)`` would not write.
  package static func decode(_ text: String) -> [UInt8]? { Base64.decode(text.utf8) }
}
