public import SDKCore
public import UAF

extension SDKError {
  /// The error of a status that is not a success; `nil` for a success.
  ///
  /// `registration` is what helps if the server does not know the key.
  init?(
    _ status: UAFStatus, from host: String, saying description: String = "",
    registration: Remedy? = .registerFIDO
  ) {
    let code: Code
    var (resource, remedy): (ResourceError?, Remedy?)
    switch status {
    case .ok: return nil
    case .accepted: code = .busy
    case .unauthorized: code = .notAuthenticated
    case .unknownKeyID:
      (code, resource, remedy) = (.notRegistered, .userNotAuthenticated, registration)
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

extension SDKError {
  /// The error code of a FIDO UAF client, if the failure has one.
  public var clientErrorCode: ClientErrorCode? {
    switch detailCode {
    case .noPasscode?: .userNotEnrolled
    case .lockedOut?: .userLockout
    case .coolingDown?: .authenticatorAccessDenied
    case let detail?: ClientErrorCode.allCases.first { $0.name == detail.name }
    case nil: nil
    }
  }
}

extension UAFError: DetailedError {
  package var libraryError: SDKError {
    SDKError(SDKError.Code(code), DetailCode(code.name), cause: message)
  }
}

extension SDKError.Code {
  fileprivate init(_ code: ClientErrorCode) {
    switch code {
    case .userCancelled: self = .denied
    case .userNotResponsive: self = .cancelled
    case .userLockout, .authenticatorAccessDenied: self = .policy
    case .keyDisappearedPermanently, .userNotEnrolled, .noSuitableAuthenticator:
      self = .notRegistered
    case .untrustedFacetID, .insecureTransport: self = .untrusted
    case .unsupportedVersion: self = .unsupported
    case .insufficientAuthenticatorResources: self = .unavailable
    case .protocolError, .invalidTransactionContent, .unknown, .noError, .waitUserAction:
      self = .malformedResponse
    }
  }
}

extension Remedy {
  /// Register a FIDO key for the user.
  public static let registerFIDO = Remedy.other(Other("registerFIDO"))
}
