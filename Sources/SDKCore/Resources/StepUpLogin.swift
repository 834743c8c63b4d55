public import HTTP
import JOSE
import OAuth
import POSIX
import Primitives

extension ResourceService {
  /// The error of a response that requires a new login of the user (RFC 9470); `nil` for any other
  /// response.
  public func stepUpError(of response: HTTPResponse, as access: Access) -> SDKError? {
    guard access.isOfUser, profile.allowsCredential(to: response.url),
      let stepUp = StepUp(response)
    else { return nil }
    let before = try? tokens.slots.provider(in: .user)?.tokens
    var login = Remedy.Login(
      authenticationContexts: stepUp.contexts, maximumAge: stepUp.maximumAge,
      isForced: stepUp.contexts == nil && stepUp.maximumAge == nil,
      bindsTokens: before?.isBound == true && !tokens.bindsTokens,
      resources: before?.resources ?? [])
    if let scope = before?.scope, Self.differs(scope, from: profile.scope) { login.scope = scope }
    return SDKError(
      .stepUpRequired,
      "could not fetch \(response.url.origin)\(response.url.path): the server requires another login "
        + "of the user than this one",
      resource: .httpStatus(response.status), subject: profile.name.description,
      remedy: environment.injectedToken == nil ? .login(login) : nil)
  }

  /// Refuses to continue if the new login is of another user, or weaker than required.
  func requireSameLogin(as before: TokenSet?) throws(SDKError) {
    let after = try tokens.slots.provider(in: .user)?.tokens
    func subject(_ tokens: TokenSet?) -> String? {
      tokens?.idToken.flatMap { try? JWT($0) }?.subject
    }
    if let old = subject(before), !sameIdentifier(subject(after), old) {
      throw SDKError(
        .untrusted, "could not send the request again: another user has logged in than before",
        subject: profile.name.description)
    }
    if before?.isBound == true, after?.isBound != true {
      throw SDKError(
        .untrusted, "could not send the request again: the new token is bound to no key",
        subject: profile.name.description)
    }
  }

  private static func differs(_ scope: String, from usual: String?) -> Bool {
    Scope.words(scope) != Scope.words(usual ?? scope)
  }
}

extension LoginOptions {
  /// Options for a login with the scope, resources and key binding of earlier tokens.
  init(repeating tokens: TokenSet?) {
    self.init()
    scope = tokens?.scope
    bindsTokens = tokens?.isBound == true ? true : nil
    for resource in tokens?.resources ?? [] { parameters.append("resource", resource) }
  }
}

extension Access {
  /// Whether the credential comes from a login of the user.
  var isOfUser: Bool { self == .user || self == .implicit }
}

extension SDKError {
  /// Whether the cause is a missing or expired login.
  var asksForLogin: Bool { code == .notAuthenticated || code == .sessionExpired }
}
