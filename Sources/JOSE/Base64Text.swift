import OpenSSL

/// Base64 with padding (RFC 4648 section 4), as HTTP Basic wants it.
package enum Base64Text {
  /// The encoded form.
  package static func encode(_ bytes: [UInt8]) -> String { Base64.encode(bytes) }
}
