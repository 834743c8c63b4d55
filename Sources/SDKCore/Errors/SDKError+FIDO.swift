import Primitives
import UAF

extension SDKError {
  /// Why this client cannot do what a FIDO server asks for; ``during(_:)`` says what for.
  init(cause error: UAFError) {
    let code: Code
    var remedy: Remedy?
    switch error.code {
    case .userCancelled, .userNotResponsive: code = .denied
    case .noSuitableAuthenticator, .authenticatorAccessDenied: code = .refused
    case .untrustedFacetID: code = .untrusted
    case .insecureTransport, .userLockout: code = .policy
    case .unsupportedVersion, .unknown: code = .unsupported
    case .insufficientAuthenticatorResources: code = .store
    case .keyDisappearedPermanently, .userNotEnrolled:
      (code, remedy) = (.notRegistered, .registerFIDO)
    case .noError, .waitUserAction, .protocolError, .invalidTransactionContent:
      code = .malformedResponse
    }
    self.init(code, cause: error.message, remedy: remedy)
  }

  /// The error of a status that is not a success; `nil` for a success.
  init?(_ status: UAFStatus, from host: String, saying description: String = "") {
    let code: Code
    var (resource, remedy): (ResourceError?, Remedy?)
    switch status {
    case .ok: return nil
    case .accepted: code = .busy
    case .unauthorized: code = .notAuthenticated
    case .unknownKeyID: (code, remedy) = (.notRegistered, .registerFIDO)
    case .requestTimeout: code = .network
    case .internalServerError: (code, resource) = (.network, .serverNotReachable)
    default: code = .refused
    }
    let said = description.isEmpty ? "" : "; it says: \(description)"
    self.init(
      code, cause: "\(host): \(status.meaning) (\(status.rawValue))\(said)", resource: resource,
      subject: host, remedy: remedy)
  }
}
