/// A failure of resource access under the domain and number that the vendors give it.
///
/// Numbers are unique within a domain only (10020 and 10024 stand for two things
/// each), so both are always shown.
public struct ResourceError: Sendable, Hashable {
  /// Which kind of access failed.
  public enum Domain: String, Sendable {
    /// With the user's token.
    case user
    /// With the implicit token.
    case implicit
    /// With the token of this installation.
    case anonymous
    /// Without a token.
    case unauthenticated
    /// Registering a user.
    case registration
    /// Any.
    case generic
    /// Below HTTP.
    case transport
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
  /// No user is logged in in whose name a token could be obtained.
  public static let implicitNotAuthenticated = ResourceError(
    .implicit, "UserNotAuthenticatedImplicitly", 9026)
  /// This installation has no credentials of its own.
  public static let deviceNotAuthenticated = ResourceError(
    .anonymous, "DeviceNotAuthenticated", 10012)

  /// The person, or the program that acts for one, gave up.
  public static let actionCancelled = ResourceError(.generic, "ActionCancelled", 9006)
  /// The same is under way already.
  public static let actionInProgress = ResourceError(.generic, "ActionAlreadyInProgress", 9007)
  /// An answer of a browser belongs to another request, or was forged.
  public static let invalidState = ResourceError(.registration, "InvalidState", 10002)
  /// There is no identity provider of that name.
  public static let invalidIdentityProvider = ResourceError(
    .registration, "InvalidIdentityProvider", 10020)

  /// The method is none that can be sent.
  public static func invalidMethod(_ domain: Domain) -> ResourceError {
    ResourceError(domain, "InvalidMethod", 10010)
  }

  /// A header field is reserved or malformed.
  public static func invalidHeaders(_ domain: Domain) -> ResourceError {
    ResourceError(domain, "InvalidHeaders", 10019)
  }
}
