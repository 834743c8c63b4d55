import CoreTestSupport

/// Tokens whose signature nobody verifies.
enum TestToken {
  /// A JWS in compact form with this header and these claims.
  static func text(
    _ claims: String, header: String = #"{"alg":"ES256","typ":"JWT"}"#
  ) -> String {
    let signature = Base64URL.encode([UInt8](repeating: 7, count: 64))
    return [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
      + ".\(signature)"
  }
}
