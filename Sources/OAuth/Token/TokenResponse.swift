import JOSE
package import JSON
import OpenSSL
import Primitives

/// A successful response of the token endpoint (RFC 6749 section 5.1).
package struct TokenResponse: Sendable, Hashable {
  package let accessToken: String
  package let tokenType: String
  /// Seconds for which the access token is valid; `nil` if the server does not say.
  package let expiresIn: Int64?
  package let refreshToken: String?
  package var idToken: String?
  /// The granted scope; `nil` means the requested one.
  package let scope: String?
  /// What was granted beyond scopes, an array (RFC 9396 section 7); `nil` if the server does not say.
  package let authorizationDetails: JSON?
  /// Whether requests and responses of resources must be encrypted (servers of the Onegini family).
  package let encryptsPayload: Bool

  /// Reads a response; a token that is bound to a key only if a proof was sent for it.
  package init(_ document: JSONObject, provedBy dpop: DPoP? = nil) throws(OAuthError) {
    guard let accessToken = document["access_token"]?.string, isVisible(accessToken) else {
      throw OAuthError(.malformed, "the token response has no usable access_token")
    }
    self.accessToken = accessToken
    tokenType = try Self.type(document["token_type"], provedBy: dpop)
    expiresIn = try Self.lifetime(document["expires_in"])
    refreshToken = try Self.text("refresh_token", in: document)
    idToken = try Self.text("id_token", in: document)
    scope = try Self.scope(in: document)
    authorizationDetails = document["authorization_details"]?.array.map { .array($0) }
    encryptsPayload = document["payload_encryption"]?.bool == true
  }

  /// RFC 9449 section 5: a response may be a downgrade, which some callers must not accept.
  ///
  /// Some servers leave out the type of bearer tokens, which all others return.
  private static func type(_ member: JSON?, provedBy dpop: DPoP?) throws(OAuthError) -> String {
    guard let name = member == nil || member == .null ? "bearer" : member?.string else {
      throw OAuthError(.malformed, "'token_type' of the token response is not a string")
    }
    switch (name.asciiLowercased, dpop) {
    case ("dpop", .some): return DPoP.tokenType
    case ("dpop", nil):
      throw OAuthError(.unsupported, "the server binds its token to a key, but none was presented")
    case ("bearer", let dpop):
      guard dpop?.isRequired != true else {
        throw OAuthError(
          .untrusted, "the server returned a bearer token, but a token bound to a key is required")
      }
      return "Bearer"
    default:
      throw OAuthError(
        .refused, "the token type '\(printable(name, limit: 40))' is not supported")
    }
  }

  /// Some servers write it as an array.
  private static func scope(in document: JSONObject) throws(OAuthError) -> String? {
    guard let words = document["scope"]?.strings else { return try text("scope", in: document) }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func text(
    _ name: String, in document: JSONObject
  ) throws(OAuthError) -> String? {
    guard let value = document[name], value != .null else { return nil }
    guard let text = value.string else {
      throw OAuthError(.malformed, "'\(name)' of the token response is \(value.kind)")
    }
    return text.isEmpty ? nil : text
  }

  private static func lifetime(_ value: JSON?) throws(OAuthError) -> Int64? {
    guard let value, value != .null else { return nil }
    guard let seconds = value.seconds else {
      throw OAuthError(.malformed, "'expires_in' of the token response is not a number of seconds")
    }
    return min(seconds, 1 << 40)
  }
}

/// RFC 6749 appendix A.12: tokens are visible ASCII, so they fit a header field.
func isVisible(_ token: String) -> Bool {
  !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

extension TokenResponse {
  /// Removes an ID token that was not requested: it is not verified, so it must not be used.
  ///
  /// - Parameter nonce: that of the authorization request; `nil` if there was none.
  /// - Throws: ``OAuthError`` `untrusted` if the token has another nonce: then the whole
  ///   response may belong to another login.
  package mutating func dropIDToken(nonce: String? = nil) throws(OAuthError) {
    let token = idToken.flatMap { try? JWT($0) }
    idToken = nil
    guard let nonce, let sent = token?.claims["nonce"] else { return }
    guard let sent = sent.string, ConstantTime.equal(sent, nonce) else {
      throw OAuthError(
        .untrusted, "the ID token must not be trusted: its nonce does not match this login")
    }
  }
}
