public import JSON

/// The content of a token, found without trusting it.
public struct TokenContent: Sendable {
  /// The headers of the tokens around it, from the outside: of encrypted tokens, and of signed ones
  /// that contain a token.
  public private(set) var outer: [JSON] = []
  /// The header of the innermost token.
  public private(set) var header: JSON = .null
  /// The claims, or another payload as text; `nil` if it is encrypted.
  public private(set) var payload: JSON?
  /// The signed token; `nil` if the payload is only encrypted.
  public private(set) var jws: JWS?
  /// The token with its disclosures; `nil` if it is not an SD-JWT (RFC 9901).
  public private(set) var selective: SDJWT?

  /// Reads a token, and the tokens in it.
  ///
  /// - Parameters:
  ///   - text: a JWS or a JWE in compact form.
  ///   - keys: what decrypts; without keys, only the header of an encrypted token is read.
  /// - Throws: ``JOSEError`` with the code `malformed`, also if more than four tokens are nested, or as
  ///   ``JWE/decrypt(withAnyOf:)`` does.
  public init(_ text: String, decryptingWith keys: KeyFile?) throws(JOSEError) {
    var text = text
    if SDJWT.hasForm(text) {
      let token = try SDJWT(text)
      (header, jws, selective) = (token.issued.header, token.issued, token)
      payload = try token.payload()
      return
    }
    // JWT does not need a token in a token in a token.
    for _ in 0..<Self.maximumDepth {
      let content: [UInt8]
      if JWE.isEncrypted(text) {
        let jwe = try JWE(compact: text)
        header = jwe.header
        guard let keys else { return }
        content = try jwe.decrypt(withAnyOf: keys)
        jws = nil
      } else {
        let signed = try JWS(compact: text)
        header = signed.header
        content = signed.payload
        jws = signed
      }
      guard let inner = JWT.token(in: content) else {
        payload = try Self.payload(content)
        return
      }
      outer.append(header)
      text = inner
    }
    throw JOSEError(.malformed, "more than \(Self.maximumDepth) tokens are nested")
  }

  static let maximumDepth = 4

  /// The claims; other text, or bytes as base64url, if it does not look like claims.
  private static func payload(_ content: [UInt8]) throws(JOSEError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: content)
    } catch {
      let start = content.first { $0 > 0x20 }
      guard start != UInt8(ascii: "{"), start != UInt8(ascii: "[") else {
        throw JOSEError(.malformed, "the payload is not JSON: \(error)")
      }
    }
    if let text = String(validating: content, as: UTF8.self) { return .string(text) }
    return .string(Base64URL.encode(content))
  }
}
