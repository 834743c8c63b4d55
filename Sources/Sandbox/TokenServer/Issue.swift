import JSON
import Primitives

/// Makes the tokens of an answer: access token, ID token and refresh token.
struct Issue {
  let request: TokenRequest
  let grantID: String
  var withRefreshToken = false
  /// The scopes of this access token, when they are fewer than the grant's.
  var scopes: [String]?
  /// A refresh token made already.
  var refreshToken: String?
  var isImplicit = false
  /// Further members of the answer.
  var members: JSONObject = [:]

  init(
    request: TokenRequest, grantID: String, scopes: [String]? = nil, refreshToken: String? = nil,
    withRefreshToken: Bool = false, isImplicit: Bool = false, members: JSONObject = [:]
  ) {
    self.request = request
    self.grantID = grantID
    self.scopes = scopes
    self.refreshToken = refreshToken
    self.withRefreshToken = withRefreshToken
    self.isImplicit = isImplicit
    self.members = members
  }

  func answer() throws -> Response {
    let (exchange, client) = (request.exchange, request.client)
    guard let grant = request.sandbox.change({ $0.grants.grant(grantID) }) else {
      throw OAuthError.invalidGrant("the grant is revoked")
    }
    let scopes = scopes ?? grant.scopes
    let isImplicit = isImplicit || grant.isImplicit
    let lifetime = client.accessTokenLifetime ?? request.sandbox.settings.accessTokenLifetime
    let record = AccessToken(
      grantID: grantID, clientID: client.id, subject: grant.subject, scopes: scopes,
      issuedAt: exchange.now, expiresAt: exchange.now + lifetime,
      keyThumbprint: request.keyThumbprint, isImplicit: isImplicit,
      certificateThumbprint: request.certificateThumbprint)
    let text = try accessTokenText(record, grant)
    var answer: JSONObject = [
      "access_token": .string(text), "expires_in": .int(lifetime),
      "token_type": request.keyThumbprint == nil ? "Bearer" : "DPoP",
      "scope": .string(Scope.join(scopes)),
    ]
    if grant.subject != nil, scopes.contains("openid"), !isImplicit {
      let token = IDToken(
        exchange: exchange, client: client, grantID: grantID, grant: grant, accessToken: text,
        scopes: scopes)
      answer["id_token"] = .string(try token.text())
    }
    let wantsRefresh = withRefreshToken && client.allows(.refreshToken)
    let refresh = request.sandbox.change { world in
      world.grants.record(record, as: text, now: exchange.now)
      return refreshToken
        ?? (wantsRefresh ? world.grants.issueRefreshToken(grantID: grantID) : nil)
    }
    answer["refresh_token"] = refresh.map(JSON.string)
    if request.sandbox.settings.flavour == .onegini, !isImplicit {
      answer.merge(profileMembers(of: grant)) { _, extra in extra }
    }
    if request.sandbox.settings.payloadEncryption { answer["payload_encryption"] = true }
    answer.merge(members) { _, extra in extra }
    return .json(.object(answer))
  }

  /// What the vendor's server says beside the tokens: whose they are, and how often they may be
  /// refreshed.
  private func profileMembers(of grant: Grant) -> JSONObject {
    guard let subject = grant.subject else { return [:] }
    let profile = Secret.sha256("\(grant.clientID) \(subject)").prefix(3)
    return [
      "profile_id": .string(Hex.encode(profile, uppercase: true)),
      "usage_count": .int(grant.uses), "usage_limit": .int(Grant.usageLimit),
    ]
  }

  /// 64 hexadecimal digits, or a JWT by RFC 9068.
  private func accessTokenText(_ token: AccessToken, _ grant: Grant) throws -> String {
    let format = request.client.accessTokenFormat ?? request.sandbox.settings.accessTokenFormat
    guard format == .jwt else { return Hex.encode(Secret.randomBytes(32), uppercase: true) }
    var claims: JSONObject = [
      "iss": .string(request.sandbox.issuer), "aud": .string(request.sandbox.resourceURL),
      "sub": .string(grant.subject ?? token.clientID), "client_id": .string(token.clientID),
      "iat": .int(token.issuedAt), "exp": .int(token.expiresAt),
      "jti": .string(Secret.name("at-")), "scope": .string(Scope.join(token.scopes)),
    ]
    claims["auth_time"] = grant.authenticatedAt.map(JSON.int)
    claims["acr"] = grant.acr.map(JSON.string)
    if !grant.amr.isEmpty { claims["amr"] = .strings(grant.amr) }
    claims["cnf"] = token.confirmation
    let key = request.sandbox.change { $0.keys.current[.rs256] }
    guard let key else { throw OAuthError("server_error", "there is no key", status: 500) }
    return try JWT.make(claims, type: "at+jwt", key: key)
  }
}
