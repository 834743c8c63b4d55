public import HTTP
public import OAuth
import Primitives

extension ResourceService {
  /// The issuer that a resource names when it refuses a token (RFC 9728 section 5.1), if it is not the profile's.
  ///
  /// It is no more than a hint: nobody has signed it.
  public func otherIssuer(namedBy response: HTTPResponse) async -> Issuer? {
    guard response.status == 401 else { return nil }
    let issuers = await Discovery(tokens.server.serverClient()).issuers(namedBy: response)
    return
      issuers.contains { sameIdentifier($0.text, profile.issuer?.text ?? "") } ? nil : issuers.first
  }

  /// The error of a response that requires a new login of the user (RFC 9470); `nil` for any other response.
  public func stepUpError(of response: HTTPResponse, as access: Access) async -> SDKError? {
    guard access.isOfUser, profile.allowsCredential(to: response.url),
      let stepUp = StepUp(response)
    else { return nil }
    var login = login(like: try? await tokens.slots.provider(in: .user))
    // What the profile asks for anyway is not named.
    if Scope.words(login.scope) == Scope.words(profile.scope ?? login.scope) { login.scope = nil }
    if await tokens.bindsTokens { login.bindsTokens = false }
    login.satisfy(stepUp)
    return SDKError(
      .stepUpRequired,
      "could not fetch \(response.url.origin)\(response.url.path): the server requires another login "
        + "of the user than this one",
      resource: .httpStatus(response.status), subject: profile.name.description,
      remedy: tokens.slots.injected == nil ? .login(login) : nil)
  }

  /// The scope that a resource requires and the token does not have (RFC 6750 section 3.1), and the login that asks
  /// for it too; `nil` for any other response.
  public func missingScope(
    namedBy response: HTTPResponse, as access: Access
  ) async -> (scope: String, login: Remedy)? {
    guard let required = response.requiredScope, profile.allowsCredential(to: response.url),
      let slot = access.slot
    else { return nil }
    var login = login(like: try? await tokens.slots.provider(in: slot))
    login.slot = slot
    let granted = login.scope?.words ?? []
    let missing = required.words.filter { !granted.contains($0) }
    if !missing.isEmpty { login.scope = (granted + missing).joined(separator: " ") }
    return (missing.isEmpty ? required : missing.joined(separator: " "), .login(login))
  }

  func login(like former: AuthorizationProvider?) -> Remedy.Login {
    let before = former?.tokens
    var login = Remedy.Login(scope: before?.scope, bindsTokens: before?.isBound == true)
    login.resources = before?.resources ?? []
    return login
  }
}

extension Remedy.Login {
  /// Adds what a server requires; without contexts or age, only a new login can be tried.
  mutating func satisfy(_ stepUp: StepUp) {
    authenticationContexts = stepUp.contexts
    maximumAge = stepUp.maximumAge
    isForced = stepUp.contexts == nil && stepUp.maximumAge == nil
  }
}

extension Access {
  var isOfUser: Bool { self == .user || self == .implicit }
}
