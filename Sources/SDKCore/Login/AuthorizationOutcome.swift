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
