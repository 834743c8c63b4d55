import OAuth
import Primitives

extension AuthorizationServer {
  /// The login that brings a refresh token, after one that brought none.
  ///
  /// `nil` if the server's metadata, as far as it is known already, does not tell: for that alone
  /// no server is asked.
  func remedy(forMissingRefreshTokenOf tokens: TokenSet) -> Remedy? {
    let scope = tokens.scope ?? profile.scope
    let isAsked = scope?.words.contains(LoginScope.offlineAccess) ?? false
    guard !isAsked, let issuer = profile.issuer,
      cachedMetadata(of: issuer)?.announces(scope: LoginScope.offlineAccess) == true
    else { return nil }
    return .login(.init(scope: LoginScope.adding(offlineAccessTo: scope)))
  }
}

extension TokenService {
  /// The login that brings a refresh token, after one that brought none.
  ///
  /// `nil` if the server's metadata, as far as it is known already, does not tell.
  public func remedy(forMissingRefreshTokenOf tokens: TokenSet) -> Remedy? {
    server.remedy(forMissingRefreshTokenOf: tokens)
  }
}
