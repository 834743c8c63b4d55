public import HTTP
public import OAuth

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
  public var pausing: (@Sendable (_ seconds: Int64) -> Void)?

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

/// How an authorization by the user ended: the three results that the vendors' libraries distinguish.
public enum AuthorizationOutcome: Sendable, Hashable {
  /// The person is logged in, with these tokens.
  case authorized(TokenSet)
  /// The server refused, or its response did not verify.
  case notAuthorized(SDKError)
  /// The person said no, or the login was given up.
  case cancelled(SDKError)

  /// What an error makes of an authorization; `nil` for one that leaves it open, as a broken network does.
  public init?(_ error: SDKError) {
    switch error.code {
    case .refused, .untrusted: self = .notAuthorized(error)
    case .denied, .cancelled: self = .cancelled(error)
    default: return nil
    }
  }
}

/// How a user logs in.
public enum LoginWay: Sendable {
  /// In a browser (RFC 8252): authorization code with PKCE.
  ///
  /// Without a place the browser arrives where the registered redirect URI says. A listener is bound
  /// before the challenge is shown. With ``ResponseTarget/scheme`` the response comes from another
  /// process (``PendingLogins``), and the challenge is shown again for each that was not one.
  case browser(at: ResponseTarget? = nil, present: ChallengeHandler)
  /// In a browser that the handler shows, and whose last address it passes on itself; nothing listens.
  case handled(ChallengeHandler)
  /// In a browser anywhere, whose last address the user pastes.
  case pasted(present: ChallengeHandler, paste: LoginPaste)
  /// On another device, where the user enters a code (RFC 8628).
  case device(show: @Sendable (DeviceAuthorization) async -> Void)
  /// By a grant that needs no browser.
  case grant(LoginGrant)
  /// With tokens that another program obtained, which the server accepts from this client.
  case existing(ExistingTokens)
}

/// What a login without a browser sends to the token endpoint.
public enum LoginGrant: Sendable {
  /// A person's name and password (RFC 6749 section 4.3).
  case password(username: String, password: String)
  /// An assertion about a user (RFC 7523 section 2.1).
  case assertion(String)
  /// An assertion about the user of that name, signed by this client.
  case ownAssertion(subject: String)
  /// A token of another server (RFC 8693), and names of whom the new one is for.
  case exchange(SubjectToken, audiences: [String])
}

/// Asks a user for the final address of the browser; the argument says what was wrong with the previous one.
public typealias LoginPaste = @Sendable (_ complaint: String?) async throws(SDKError) -> String
