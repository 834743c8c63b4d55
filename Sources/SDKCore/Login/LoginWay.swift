import HTTP
public import OAuth

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

/// Asks a user for the final address of the browser; the argument says what was wrong with the
/// previous one.
public typealias LoginPaste = @Sendable (_ complaint: String?) async throws(SDKError) -> String
