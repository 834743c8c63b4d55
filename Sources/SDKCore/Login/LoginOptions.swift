public import HTTP

/// What a login may ask of the authorization server.
public struct LoginOptions: Sendable {
  /// The scope to request; `nil` for the profile's, empty for a login without scope.
  public var scope: String?
  /// The port to listen on; `nil` for the registered one, the profile's or any.
  public var port: UInt16?
  /// `prompt`, `login_hint`, `acr_values`, `max_age`, `resource`, `idp`.
  public var parameters: FormParameters = [:]
  /// Whether the tokens are bound to a key (RFC 9449); `nil` for the profile's way.
  public var bindsTokens: Bool?
  /// How long the user has; `nil` for five minutes, or as long as a device code is valid.
  public var timeout: Duration?
  /// How often the challenge is issued if an address is not the response.
  ///
  /// It has no effect for a URL scheme: any page can send addresses there.
  public var attempts = 1
  package var action = CodeFlow.action
  /// Called with the pause before the browser opens, after a login that failed.
  public var pausing: Pausing?

  /// Takes the seconds of a pause.
  public typealias Pausing = @Sendable (_ seconds: Int64) -> Void

  /// Makes options that leave everything to the profile and the server.
  public init() {}

  /// Makes options for the login that would help against an error (``SDKError/userLogin``).
  public init(_ login: Remedy.Login) {
    scope = login.scope
    bindsTokens = login.bindsTokens ? true : nil
    parameters["acr_values"] = login.authenticationContexts
    parameters["max_age"] = login.maximumAge.map { String($0) }
    if login.isForced { parameters["prompt"] = "login" }
    for resource in login.resources { parameters.append("resource", resource) }
  }
}

/// Who logged in, and with what.
public struct LoginResult: Sendable, Hashable {
  /// The tokens, which are kept already.
  public let tokens: TokenSet
  /// The subject of the ID token; `nil` when the server sent none.
  public let subject: String?
  /// Whether another process did the login while this one waited for it.
  public let isShared: Bool

  /// Makes a result, for a program that logs in by a way of its own.
  public init(tokens: TokenSet, subject: String? = nil, isShared: Bool = false) {
    self.tokens = tokens
    self.subject = subject
    self.isShared = isShared
  }
}

/// How an authorization by the user ended: the three results that the vendors' libraries
/// distinguish.
public enum AuthorizationOutcome: Sendable, Hashable {
  /// The person is logged in, with these tokens.
  case authorized(TokenSet)
  /// The server refused, or its response did not verify.
  case notAuthorized(SDKError)
  /// The person said no, or the login was given up.
  case cancelled(SDKError)

  /// What an error makes of an authorization; `nil` for one that leaves it open, as a broken
  /// network does.
  public init?(_ error: SDKError) {
    switch error.code {
    case .refused, .untrusted: self = .notAuthorized(error)
    case .denied, .cancelled: self = .cancelled(error)
    default: return nil
    }
  }
}
