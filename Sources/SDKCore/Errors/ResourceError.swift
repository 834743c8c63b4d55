/// The domain and number of a failure in the vendors' SDKs.
///
/// Numbers are unique within a domain only (10020 and 10024 stand for two things
/// each), so both are always shown.
public struct ResourceError: Sendable, Hashable {
  /// The kind of action that failed.
  public enum Domain: String, Sendable {
    /// A request with the user's token.
    case user
    /// A request with the implicit token.
    case implicit
    /// A request with the token of this installation.
    case anonymous
    /// A request without a token.
    case unauthenticated
    /// Any action.
    case generic
    /// HTTP: an error status, which is the number; or a cancelled request.
    case transport
    /// The registration of a user.
    case registration
    /// The end of a registration.
    case deregistration
    /// A logout.
    case logout
    /// The proof of a user with a PIN.
    case authentication
    /// The choice of a PIN.
    case pinValidation
  }

  /// The domain.
  public let domain: Domain
  /// The vendors' name of the failure.
  public let name: String
  /// The vendors' number of the failure.
  public let number: Int

  /// Makes a domain, name and number.
  public init(_ domain: Domain, _ name: String, _ number: Int) {
    self.domain = domain
    self.name = name
    self.number = number
  }

  /// No user is logged in.
  public static let userNotAuthenticated = ResourceError(.user, "UserNotAuthenticated", 9010)
  /// No user is logged in, so no implicit token can be obtained.
  public static let implicitNotAuthenticated = ResourceError(
    .implicit, "UserNotAuthenticatedImplicitly", 9026)
  /// This installation has no credentials of its own.
  public static let deviceNotAuthenticated = ResourceError(
    .anonymous, "DeviceNotAuthenticated", 10012)

  /// The server returned an HTTP error status, which is the number.
  public static func httpStatus(_ status: Int) -> ResourceError {
    ResourceError(.transport, "HTTPStatus", status)
  }

  /// The method is not allowed.
  public static func invalidMethod(_ domain: Domain) -> ResourceError {
    ResourceError(domain, "InvalidMethod", 10010)
  }

  /// A header field is reserved or malformed.
  public static func invalidHeaders(_ domain: Domain) -> ResourceError {
    ResourceError(domain, "InvalidHeaders", 10019)
  }
}
