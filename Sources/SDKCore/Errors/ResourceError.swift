/// The domain and number of a failure in the vendors' SDKs.
///
/// Numbers are unique within a domain only (10020 and 10024 stand for two things each), so both are always shown.
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

extension ResourceError {
  /// The server cannot be reached: its name, the connection, or a timeout.
  public static let networkConnectivityFailure = ResourceError(
    .generic, "NetworkConnectivityFailure", 9000)
  /// The server was reached, but cannot be used: TLS or pins refused it, or it failed.
  public static let serverNotReachable = ResourceError(.generic, "ServerNotReachable", 9001)
  /// The server no longer knows this installation.
  public static let deviceDeregistered = ResourceError(.generic, "DeviceDeregistered", 9002)
  /// The user's registration is gone.
  public static let userDeregistered = ResourceError(.generic, "UserDeregistered", 9003)
  /// The server no longer accepts this version of the application.
  public static let outdatedApplication = ResourceError(.generic, "OutdatedApplication", 9004)
  /// The server no longer accepts this version of the operating system.
  public static let outdatedOS = ResourceError(.generic, "OutdatedOS", 9005)
  /// A person or a program cancelled the action.
  public static let actionCancelled = ResourceError(.generic, "ActionCancelled", 9006)
  /// Another process does the same.
  public static let actionInProgress = ResourceError(
    .generic, "ActionAlreadyInProgress", 9007)
  /// This installation could not be registered.
  public static let deviceRegistrationFailure = ResourceError(
    .generic, "DeviceRegistrationFailure", 9008)
  /// Other users can read or change stored secrets.
  public static let protectedDataStorageNotAvailable = ResourceError(
    .generic, "ProtectedDataStorageNotAvailable", 9023)
  /// The store cannot be read or written.
  public static let dataStorageNotAvailable = ResourceError(
    .generic, "DataStorageNotAvailable", 9024)
  /// This version cannot read the store.
  public static let unrecoverableDataState = ResourceError(
    .generic, "UnrecoverableDataState", 9025)
  /// The clock of this machine is wrong.
  public static let invalidDateTime = ResourceError(.generic, "InvalidDateTime", 9031)
  /// This process, or the machine that it runs on, may be under somebody else's control.
  public static let appIntegrityFailure = ResourceError(.generic, "AppIntegrityFailure", 10_024)
  /// A failure without a number of its own.
  public static let unknown = ResourceError(.generic, "Unknown", 10_000)
  /// The profile is incomplete or wrong.
  public static let configurationInvalid = ResourceError(.generic, "ConfigurationInvalid", 10_001)
  /// A request that cannot be sent.
  public static let requestInvalid = ResourceError(.generic, "RequestInvalid", 10_015)

  /// A response that belongs to another login.
  public static let invalidState = ResourceError(.registration, "InvalidState", 10_002)
  /// The server has no such identity provider.
  public static let invalidIdentityProvider = ResourceError(
    .registration, "InvalidIdentityProvider", 10_020)
  /// Deregistered here, but perhaps not at the server.
  public static let localDeregistration = ResourceError(
    .deregistration, "LocalDeregistration", 10_003)
  /// Logged out here, but perhaps not at the server.
  public static let localLogout = ResourceError(.logout, "LocalLogout", 10_009)

  /// The PIN is wrong.
  public static let invalidPIN = ResourceError(.authentication, "InvalidPin", 9009)
  /// A chosen PIN is on the block list.
  public static let pinBlackListed = ResourceError(.pinValidation, "PinBlackListed", 9011)
  /// The digits of a chosen PIN are a sequence.
  public static let pinIsSequence = ResourceError(
    .pinValidation, "PinShouldNotBeASequence", 9012)
  /// A chosen PIN has one digit too often.
  public static let pinHasSimilarDigits = ResourceError(
    .pinValidation, "PinShouldNotUseSimilarDigits", 9013)
  /// A chosen PIN is too short or too long.
  public static let wrongPINLength = ResourceError(.pinValidation, "WrongPinLength", 9014)

  /// A number that a server sent; of the ambiguous ones none is known without its domain.
  init(sent number: Int) {
    self =
      Self.sendable.first { $0.number == number } ?? ResourceError(.generic, "Unknown", number)
  }

  private static let sendable: [ResourceError] = [
    networkConnectivityFailure, serverNotReachable, deviceDeregistered, userDeregistered,
    outdatedApplication, outdatedOS, actionCancelled, actionInProgress,
    deviceRegistrationFailure, userNotAuthenticated, invalidDateTime, unknown,
    configurationInvalid, invalidState, deviceNotAuthenticated, requestInvalid,
  ]
}

extension ResourceError {
  /// The default number of a kind of failure: every failure has a domain and a number.
  public init(_ code: SDKError.Code) {
    let known: [SDKError.Code: ResourceError] = [
      .noProfile: .configurationInvalid, .invalidConfiguration: .configurationInvalid,
      .wrongPasscode: .invalidPIN, .store: .dataStorageNotAvailable,
      .storeVersion: .unrecoverableDataState, .storeUnavailable: .dataStorageNotAvailable,
      .storePermissions: .protectedDataStorageNotAvailable, .invalidRequest: .requestInvalid,
      .network: .networkConnectivityFailure, .tls: .serverNotReachable,
      .pin: .serverNotReachable, .busy: .actionInProgress, .denied: .actionCancelled,
      .cancelled: .actionCancelled, .noEnrolment: .configurationInvalid,
      .notRegistered: .deviceNotAuthenticated, .registeredElsewhere: .deviceNotAuthenticated,
      .clientExpired: .deviceNotAuthenticated, .notAuthenticated: .userNotAuthenticated,
      .sessionExpired: .userNotAuthenticated, .stepUpRequired: .userNotAuthenticated,
      .identity: .serverNotReachable, .wrongPassword: .requestInvalid,
      .legacyAlgorithm: .requestInvalid, .policy: .requestInvalid,
    ]
    self = known[code] ?? .unknown
  }
}
