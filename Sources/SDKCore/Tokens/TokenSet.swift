import JOSE
public import JSON
package import OAuth
public import Primitives

/// The tokens of one slot, with what the server returned about them.
///
/// Access token, end, type, scope and refresh token are the five that every vendor's library hands out.
public struct TokenSet: Sendable, Hashable {
  /// The access token.
  ///
  /// Empty after a logout that kept the login: ``hasAccessToken``.
  public internal(set) var accessToken: String
  /// Whether there is an access token; after a logout that kept the login there is none.
  public var hasAccessToken: Bool { !accessToken.isEmpty }
  /// Its type: `Bearer`, or `DPoP` for one that is bound to a key.
  public let tokenType: String
  /// When it expires; `nil` if the server did not say.
  public internal(set) var expires: Timestamp?
  /// The granted scope.
  public let scope: String?
  /// The refresh token, which renews the access token without a person; `nil` also for one that is sealed.
  public internal(set) var refreshToken: String? { didSet { sealedToken = nil } }
  /// Whether there is a refresh token, sealed or not.
  public var isRefreshable: Bool { refreshToken != nil || isSealed }
  /// Whether a refresh may renew the access token: there is a refresh token, and the server did not refuse it.
  public var canBeRefreshed: Bool { isRefreshable && endReason == nil }
  /// Whether the refresh token is encrypted under a passcode.
  public var isSealed: Bool { sealedToken != nil }
  /// The refresh token, encrypted to the key of the profile's seal.
  var sealedToken: String?
  /// The ID token; it was verified when it was received.
  public internal(set) var idToken: String?
  /// When the access token was obtained.
  public let obtained: Timestamp
  /// The resource servers that the grant is for (RFC 8707), which a refresh names again.
  public package(set) var resources: [String] = []
  /// The scope that the login granted, if a refresh has brought less since; otherwise `nil`.
  public package(set) var loginScope: String?
  /// The granted authorization details, an array (RFC 9396); `nil` if the server sent none.
  public package(set) var authorizationDetails: JSON?
  /// Whether the access token is the JWT of a login that is not OAuth.
  package var isSessionJWT = false
  var user: String?
  var endpoints: SecretEndpoints?
  /// Why the server refused the refresh token, which was then forgotten if it gave a reason; `nil` if it did not.
  var endReason: String?
  /// Whether requests and responses of resources must be encrypted (servers of the Onegini family).
  package var encryptsPayload = false

  package init(
    accessToken: String, tokenType: String = "Bearer", expires: Timestamp?, scope: String?,
    refreshToken: String?, obtained: Timestamp
  ) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.expires = expires
    self.scope = scope
    self.obtained = obtained
    self.refreshToken = refreshToken
  }

  /// What a token response makes of the set before it.
  ///
  /// What the response leaves out is kept: the refresh token (RFC 6749 section 6), the
  /// scope (section 5.1), the ID token (OpenID Connect Core 12.2).
  package init(
    _ response: TokenResponse, requestedScope: String? = nil, replacing old: TokenSet? = nil,
    at now: Timestamp
  ) {
    self.init(
      accessToken: response.accessToken, tokenType: response.tokenType,
      expires: response.expiresIn.map { min(now + $0, 253_402_300_799) },
      scope: response.scope ?? old?.scope ?? requestedScope,
      refreshToken: response.refreshToken, obtained: now)
    if refreshToken == nil {
      refreshToken = old?.refreshToken
      sealedToken = old?.sealedToken
    }
    // One that a refresh brings is not verified yet, and so not kept here.
    idToken = old == nil ? response.idToken : old?.idToken
    resources = old?.resources ?? []
    endpoints = old?.endpoints
    loginScope = old?.loginScope
    authorizationDetails = response.authorizationDetails ?? old?.authorizationDetails
    encryptsPayload = response.encryptsPayload || old?.encryptsPayload == true
  }

  /// Whether the access token can be used only with a key (RFC 9449).
  public var isBound: Bool { tokenType == DPoP.tokenType }

  /// Whether the access token is valid for longer than that many seconds from `now`.
  ///
  /// A token without a known expiry counts as valid until a server refuses it.
  public func isValid(at now: Timestamp, minimumLifetime: Int64) -> Bool {
    guard hasAccessToken else { return false }
    guard let expires else { return true }
    return expires > now + minimumLifetime && expires > now
  }
}

extension TokenSet: Redacted {}

extension TokenSet: StoredValue {
  package init(_ fields: StoredFields, _ value: TokenSet?) throws(SDKError) {
    self.init(
      accessToken: try fields.required("accessToken", value?.accessToken, .text),
      tokenType: try fields.optional("tokenType", value?.tokenType, .text) ?? "Bearer",
      expires: try fields.optional("expires", value?.expires, .seconds),
      scope: try fields.optional("scope", value?.scope, .text),
      refreshToken: try fields.optional("refreshToken", value?.refreshToken, .text),
      obtained: try fields.required("obtained", value?.obtained, .seconds))
    let sealed = try fields.sealed("refreshToken", value?.sealedToken)
    if refreshToken == nil { sealedToken = sealed }
    idToken = try fields.optional("idToken", value?.idToken, .text)
    resources = try fields.list("resources", value?.resources, .texts)
    loginScope = try fields.optional("loginScope", value?.loginScope, .text)
    authorizationDetails = try fields.optional(
      "authorizationDetails", value?.authorizationDetails, .any)
    let encrypts = value?.encryptsPayload == true ? true : nil
    encryptsPayload = try fields.optional("payloadEncryption", encrypts, .flag) ?? false
    let provider = value?.isSessionJWT == true ? "jwt" : nil
    isSessionJWT = try fields.optional("provider", provider, .text) == "jwt"
    user = try fields.optional("user", value?.user, .text)
    endpoints = try fields.optional("endpoints", value?.endpoints, .endpoints)
    endReason = try fields.optional("endReason", value?.endReason, .text)
    if !hasAccessToken { expires = nil }
  }
}

/// An access token from outside the store.
struct InjectedToken: Sendable {
  let tokens: TokenSet
  let source: String

  /// If the token is a JWT, its claims are its expiry and its scope.
  init(_ text: String, from source: String?, at now: Timestamp) {
    let jwt = try? JWT(text)
    let scope = jwt?.body.scope ?? []
    tokens = TokenSet(
      accessToken: text, expires: jwt?.expiration,
      scope: scope.isEmpty ? nil : scope.joined(separator: " "), refreshToken: nil, obtained: now)
    self.source = source ?? "the environment"
  }
}
