/// The error codes of a FIDO UAF client (FIDO UAF Application API and Transport Binding 1.1,
/// ErrorCode).
public enum ClientErrorCode: Int, Sendable, Hashable, CaseIterable {
  /// The operation succeeded.
  case noError = 0
  /// The user must act before the operation continues.
  case waitUserAction = 1
  /// The transport is not protected.
  case insecureTransport = 2
  /// The user declined.
  case userCancelled = 3
  /// The message has no version that this client supports.
  case unsupportedVersion = 4
  /// No authenticator matches the policy.
  case noSuitableAuthenticator = 5
  /// The message does not follow the protocol.
  case protocolError = 6
  /// The application is not listed for the appID of the message.
  case untrustedFacetID = 7
  /// The key is lost for good.
  case keyDisappearedPermanently = 9
  /// The authenticator denied the operation.
  case authenticatorAccessDenied = 12
  /// The content of the transaction cannot be shown.
  case invalidTransactionContent = 13
  /// The user took too long.
  case userNotResponsive = 14
  /// The authenticator has no room or memory left.
  case insufficientAuthenticatorResources = 15
  /// Too many failed verifications have locked the user out.
  case userLockout = 16
  /// The user has no passcode at the authenticator.
  case userNotEnrolled = 17
  /// Anything else.
  case unknown = 255

  /// The name in the specification, such as `USER_LOCKOUT`.
  public var name: String {
    switch self {
    case .noError: "NO_ERROR"
    case .waitUserAction: "WAIT_USER_ACTION"
    case .insecureTransport: "INSECURE_TRANSPORT"
    case .userCancelled: "USER_CANCELLED"
    case .unsupportedVersion: "UNSUPPORTED_VERSION"
    case .noSuitableAuthenticator: "NO_SUITABLE_AUTHENTICATOR"
    case .protocolError: "PROTOCOL_ERROR"
    case .untrustedFacetID: "UNTRUSTED_FACET_ID"
    case .keyDisappearedPermanently: "KEY_DISAPPEARED_PERMANENTLY"
    case .authenticatorAccessDenied: "AUTHENTICATOR_ACCESS_DENIED"
    case .invalidTransactionContent: "INVALID_TRANSACTION_CONTENT"
    case .userNotResponsive: "USER_NOT_RESPONSIVE"
    case .insufficientAuthenticatorResources: "INSUFFICIENT_AUTHENTICATOR_RESOURCES"
    case .userLockout: "USER_LOCKOUT"
    case .userNotEnrolled: "USER_NOT_ENROLLED"
    case .unknown: "UNKNOWN"
    }
  }
}
