import JOSE
import JSON
import OAuth
public import Primitives

/// Tokens that another program obtained, by a client that this installation has too.
public struct ExistingTokens: Sendable, Hashable {
  let accessToken: String?
  let refreshToken: String?
  let idToken: String?
  let scope: String?
  let expiresIn: Int64?

  /// Reads a token response (RFC 6749 section 5.1), of which the access token may be missing, or one
  /// line with a refresh token.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if it is neither, has no usable token, or has one that is
  ///   bound to a key, which this installation does not have.
  public init(reading bytes: [UInt8]) throws(SDKError) {
    let text = Array(bytes.trimmingSpace)
    guard text.first == UInt8(ascii: "{") else {
      let token = try SecretFile.line(in: text, "refresh token")
      guard isVisible(token) else {
        throw Self.refusal("it is neither a token response nor a refresh token")
      }
      (refreshToken, accessToken, idToken, scope, expiresIn) = (token, nil, nil, nil, nil)
      return
    }
    let members: JSONObject
    do throws(JSONError) {
      members = try JSON(parsing: text).object ?? [:]
    } catch {
      throw Self.refusal("the token response is not JSON: \(error)")
    }
    if let type = members["token_type"]?.string, !type.equalsIgnoringCase("Bearer") {
      throw Self.refusal(
        "a token of the type \(VisibleText.quoted(type)) is bound to a key of the other program")
    }
    accessToken = try Self.token("access_token", of: members)
    refreshToken = try Self.token("refresh_token", of: members)
    idToken = try Self.token("id_token", of: members)
    scope = members["scope"]?.strings?.joined(separator: " ") ?? members["scope"]?.string
    expiresIn = members["expires_in"]?.seconds.map { min($0, 1 << 40) }
    guard accessToken != nil || refreshToken != nil else {
      throw Self.refusal("the token response has neither a refresh token nor an access token")
    }
  }

  private static func token(
    _ name: String, of members: JSONObject
  ) throws(SDKError) -> String? {
    guard let value = members[name], value != .null, value != .string("") else { return nil }
    guard let text = value.string, isVisible(text) else {
      throw refusal("'\(name)' of the token response is not a token")
    }
    return text
  }

  private static func refusal(_ cause: String) -> SDKError {
    SDKError(.invalidRequest, "could not use the tokens: \(cause)")
  }

  /// The tokens as a login has them; without access token if there is none.
  func tokenSet(at now: Timestamp) -> TokenSet {
    let end = accessToken.flatMap { try? JWT($0) }?.expiration
    var tokens = TokenSet(
      accessToken: accessToken ?? "",
      expires: accessToken == nil ? now : end ?? expiresIn.map { min(now + $0, 253_402_300_799) },
      scope: scope, refreshToken: refreshToken, obtained: now)
    tokens.idToken = idToken
    return tokens
  }
}

extension ExistingTokens: Redacted {}
