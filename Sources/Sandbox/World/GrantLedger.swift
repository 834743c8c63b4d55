/// Every authorization code, refresh token and access token, and the families they belong to.
///
/// A code works once; a second use revokes what the first one gave (RFC 6749 section 4.1.2). A
/// refresh token works once; a second use of a rotated one revokes its family (RFC 9700 section
/// 4.14.2).
struct GrantLedger: Sendable {
  private var grants: [String: Grant] = [:]
  private var codes: [String: Code] = [:]
  private var refreshTokens: [String: RefreshToken] = [:]
  private var accessTokens: [String: AccessToken] = [:]

  /// How often a rotated refresh token or a used code came back.
  private(set) var reuses = 0

  private struct Code: Sendable {
    let grant: Grant
    let redirectURI: String
    let redirectWasSent: Bool
    let challenge: String
    let expiresAt: Int
    var grantID: String?
  }

  private struct RefreshToken: Sendable {
    let grantID: String
    var isRotated = false
  }

  static let codeLifetime = 60
  private static let most = 100_000

  // MARK: Codes

  /// A code for what a person just allowed.
  mutating func issueCode(
    for grant: Grant, redirectURI: String, redirectWasSent: Bool, challenge: String, now: Int
  ) -> String {
    if codes.count > 1_000 { codes = codes.filter { $0.value.expiresAt + 600 > now } }
    let code = Secret.make()
    codes[code] = Code(
      grant: grant, redirectURI: redirectURI, redirectWasSent: redirectWasSent,
      challenge: challenge, expiresAt: now + Self.codeLifetime)
    return code
  }

  /// Turns a code into its grant, once, for the client and verifier it was made for.
  mutating func redeem(
    code text: String, clientID: String, redirectURI: String?, verifier: String?, now: Int
  ) throws(OAuthError) -> (id: String, grant: Grant) {
    guard let code = codes[text], code.grant.clientID == clientID else {
      throw .invalidGrant("the code is unknown")
    }
    if let grantID = code.grantID {
      reuses += 1
      revoke(grantID: grantID)
      throw .invalidGrant("the code was used already")
    }
    guard now < code.expiresAt else { throw .invalidGrant("the code has expired") }
    guard redirectURI == code.redirectURI || (redirectURI == nil && !code.redirectWasSent) else {
      throw .invalidGrant("redirect_uri is not the one of the authorization request")
    }
    guard let verifier, PKCE.verifier(verifier, fits: code.challenge) else {
      throw .invalidGrant("code_verifier does not fit code_challenge")
    }
    let id = open(code.grant)
    codes[text]?.grantID = id
    return (id, code.grant)
  }

  // MARK: Grants and refresh tokens

  mutating func open(_ grant: Grant) -> String {
    let id = Secret.name("grant-")
    grants[id] = grant
    return id
  }

  func grant(_ id: String) -> Grant? { grants[id] }

  /// The first ID token of a login shows the fault that the login asked for, later ones do not.
  mutating func takeFault(ofGrant id: String) -> Fault? {
    let fault = grants[id]?.fault
    grants[id]?.fault = nil
    return fault
  }

  mutating func bind(grantID: String, toKey thumbprint: String) {
    grants[grantID]?.keyThumbprint = thumbprint
  }

  mutating func bind(grantID: String, toCertificate thumbprint: String) {
    grants[grantID]?.certificateThumbprint = thumbprint
  }

  mutating func issueRefreshToken(grantID: String) -> String {
    let token = Secret.make()
    refreshTokens[token] = RefreshToken(grantID: grantID)
    return token
  }

  /// The grant behind a refresh token that is good, without using it up.
  ///
  /// A token that was rotated away revokes its whole family.
  mutating func check(
    refreshToken text: String, clientID: String
  )
    throws(OAuthError) -> (id: String, grant: Grant)
  {
    guard let token = refreshTokens[text], let grant = grants[token.grantID],
      grant.clientID == clientID
    else { throw .invalidGrant("the refresh token is unknown or revoked") }
    guard !token.isRotated else {
      reuses += 1
      revoke(grantID: token.grantID)
      throw .invalidGrant("the refresh token was used already; its family is revoked")
    }
    return (token.grantID, grant)
  }

  /// Replaces a refresh token that `check` accepted; the new one may be bound to less scope.
  mutating func rotate(
    refreshToken text: String, grantID: String, narrowedTo scopes: [String]? = nil
  ) -> String {
    if let scopes { grants[grantID]?.scopes = scopes }
    refreshTokens[text]?.isRotated = true
    grants[grantID]?.uses += 1
    return issueRefreshToken(grantID: grantID)
  }

  // MARK: Access tokens

  mutating func record(_ token: AccessToken, as text: String, now: Int) {
    if accessTokens.count > Self.most {
      accessTokens = accessTokens.filter { !$0.value.isExpired(at: now) }
    }
    accessTokens[text] = token
  }

  /// The access token if it is good now.
  func active(accessToken text: String, now: Int) -> AccessToken? {
    guard let token = accessTokens[text], !token.isExpired(at: now),
      grants[token.grantID] != nil
    else { return nil }
    return token
  }

  /// The grant of a refresh token that is good now.
  func active(refreshToken text: String) -> (id: String, grant: Grant)? {
    guard let token = refreshTokens[text], !token.isRotated, let grant = grants[token.grantID]
    else { return nil }
    return (token.grantID, grant)
  }

  // MARK: Revocation

  /// Ends a token (RFC 7009): an access token alone, a refresh token with its family.
  mutating func revoke(token text: String, clientID: String) {
    if let token = accessTokens[text], token.clientID == clientID { accessTokens[text] = nil }
    if let token = refreshTokens[text], grants[token.grantID]?.clientID == clientID {
      revoke(grantID: token.grantID)
    }
  }

  /// Ends every token of a family.
  mutating func revoke(grantID: String) {
    grants[grantID] = nil
    accessTokens = accessTokens.filter { $0.value.grantID != grantID }
  }

  mutating func revokeAll(ofClient clientID: String) {
    for (id, grant) in grants where grant.clientID == clientID { revoke(grantID: id) }
    codes = codes.filter { $0.value.grant.clientID != clientID }
  }

  /// The clients that hold something a person granted.
  func clients(ofSubject subject: String) -> [String] {
    Set(grants.values.filter { $0.subject == subject }.map(\.clientID)).sorted()
  }
}
