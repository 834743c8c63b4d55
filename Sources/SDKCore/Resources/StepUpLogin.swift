public import HTTP
import OAuth
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
      remedy: tokens.slots.injected == nil ? .login(login) : nil)
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
