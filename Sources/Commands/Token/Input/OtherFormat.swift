import Primitives

/// What a text is that somebody takes for a JWT.
enum OtherFormat {
  /// Its name, with an article; `nil` if it is unknown.
  static func name(of text: String) -> String? {
    let start = text.asciiLowercased
    if isPASETO(text) { return "a PASETO" }
    if start.hasPrefix("age-secret-key-1") { return "a private key of age" }
    if start.hasPrefix("age1") { return "a public key of age" }
    if ["ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2-"].contains(where: start.hasPrefix) {
      return "a public key of OpenSSH"
    }
    if start.hasPrefix("-----begin ") {
      return "a key or a certificate in PEM; `token jwk` shows it"
    }
    if isXML(Array(text.utf8)) || Base64.decode(text.utf8).map(isXML) == true {
      return "XML, such as a SAML response"
    }
    let isCookie =
      ["set-cookie:", "cookie:"].contains(where: start.hasPrefix)
      || text.split(separator: ";").allSatisfy { $0.utf8.contains(UInt8(ascii: "=")) }
        && text.utf8.contains(UInt8(ascii: ";"))
      || start.containsText("; path=") || start.containsText("; httponly")
    return isCookie ? "a cookie without a JWT" : nil
  }

  /// Whether a text is a PASETO, which has three parts as a JWT.
  static func isPASETO(_ text: String) -> Bool {
    ["v1.", "v2.", "v3.", "v4."].contains(where: text.hasPrefix)
      && ["local.", "public."].contains(where: text.dropFirst(3).hasPrefix)
  }

  /// Whether a text begins a document of another format, which is read as a whole.
  static func begins(_ line: [UInt8]) -> Bool {
    let line = line[...].trimmingSpace
    return line.first == UInt8(ascii: "<") || line.starts(with: "-----BEGIN ".utf8)
  }

  private static func isXML(_ bytes: [UInt8]) -> Bool {
    ["<?xml", "<saml", "<Response", "<Assertion"].contains { bytes.starts(with: $0.utf8) }
  }
}
