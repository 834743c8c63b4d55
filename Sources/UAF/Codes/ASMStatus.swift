/// The status codes of an authenticator-specific module (FIDO UAF ASM 1.1).
///
/// A client sends one in the context of its response, and a server returns it as `asmStatusCode`.
public enum ASMStatus: Int, Sendable, Hashable, CaseIterable {
  /// The operation succeeded.
  case ok = 0
  /// An unknown error.
  case error = 1
  /// Access is denied.
  case accessDenied = 2
  /// The user declined.
  case userCancelled = 3
  /// The content of the transaction cannot be shown.
  case cannotRenderTransactionContent = 4
  /// The key is lost for good.
  case keyDisappearedPermanently = 9
  /// The authenticator is not connected.
  case authenticatorDisconnected = 11
  /// The user took too long.
  case userNotResponsive = 14
  /// The authenticator has no room or memory left.
  case insufficientAuthenticatorResources = 15
  /// Too many failed verifications have locked the user out.
  case userLockout = 16
  /// The user has no passcode at the authenticator.
  case userNotEnrolled = 17

  /// The name in the specification, such as `UAF_ASM_STATUS_USER_LOCKOUT`.
  public var name: String {
    let word =
      switch self {
      case .ok: "OK"
      case .error: "ERROR"
      case .accessDenied: "ACCESS_DENIED"
      case .userCancelled: "USER_CANCELLED"
      case .cannotRenderTransactionContent: "CANNOT_RENDER_TRANSACTION_CONTENT"
      case .keyDisappearedPermanently: "KEY_DISAPPEARED_PERMANENTLY"
      case .authenticatorDisconnected: "AUTHENTICATOR_DISCONNECTED"
      case .userNotResponsive: "USER_NOT_RESPONSIVE"
      case .insufficientAuthenticatorResources: "INSUFFICIENT_AUTHENTICATOR_RESOURCES"
      case .userLockout: "USER_LOCKOUT"
      case .userNotEnrolled: "USER_NOT_ENROLLED"
      }
    return "UAF_ASM_STATUS_" + word
  }

  /// The status of an error of the client.
  package init(_ code: ClientErrorCode) {
    self =
      switch code {
      case .noError: .ok
      case .userCancelled: .userCancelled
      case .noSuitableAuthenticator: .authenticatorDisconnected
      case .keyDisappearedPermanently: .keyDisappearedPermanently
      case .authenticatorAccessDenied, .untrustedFacetID: .accessDenied
      case .invalidTransactionContent: .cannotRenderTransactionContent
      case .userNotResponsive: .userNotResponsive
      case .insufficientAuthenticatorResources: .insufficientAuthenticatorResources
      case .userLockout: .userLockout
      case .userNotEnrolled: .userNotEnrolled
      case .waitUserAction, .insecureTransport, .unsupportedVersion, .protocolError, .unknown:
        .error
      }
  }
}
