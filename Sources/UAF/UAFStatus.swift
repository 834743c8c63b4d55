/// The status code of a FIDO UAF server (FIDO UAF Application API and Transport Binding 1.1, UAF
/// Status Codes); a server may send numbers that the specification does not have.
public struct UAFStatus: Sendable, Hashable, RawRepresentable {
  /// The number.
  public let rawValue: Int

  /// Makes a status of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The operation is complete.
  public static let ok = UAFStatus(rawValue: 1200)
  /// The message was accepted, and its result is not known yet.
  public static let accepted = UAFStatus(rawValue: 1202)
  /// The user must authenticate first, or the key is not the user's.
  public static let unauthorized = UAFStatus(rawValue: 1401)
  /// The request took too long.
  public static let requestTimeout = UAFStatus(rawValue: 1408)
  /// The server does not know the key; the client deletes it.
  public static let unknownKeyID = UAFStatus(rawValue: 1481)
  /// The server failed.
  public static let internalServerError = UAFStatus(rawValue: 1500)

  /// Whether the key is of no use any more, so that the client deletes it.
  public var deletesKey: Bool { self == .unknownKeyID }

  /// The meaning: lower case, no period; for a number without one, that it is unknown.
  public var meaning: String {
    Self.meanings[rawValue] ?? "the server returned the unknown status \(rawValue)"
  }

  /// The statuses of the specification.
  private static let meanings: [Int: String] = [
    1200: "the operation is complete",
    1202: "the server has not decided yet",
    1400: "the server does not understand the message",
    1401: "the user must authenticate first, or the key is not the user's",
    1403: "the user is not allowed to do this",
    1404: "the server does not find what the message is about",
    1408: "the server waited too long for the message",
    1480: "the server does not know this kind of authenticator",
    1481: "the server does not know this key",
    1490: "the channel binding is missing or differs",
    1491: "the request is unknown or expired, or was answered before",
    1492: "the server does not accept this authenticator",
    1493: "the authenticator is revoked",
    1494: "the server does not accept the key",
    1495: "the server expects a stronger algorithm",
    1496: "the server does not accept the attestation",
    1497: "the server does not accept this client",
    1498: "the server does not accept the content of the message",
    1500: "the server failed",
  ]
}

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

/// Why a FIDO UAF operation cannot be done by this client.
package struct UAFError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, with its number in the protocol.
  package let code: ClientErrorCode
  /// The cause in words: lower case, no period, no secrets.
  package let message: String

  package init(_ code: ClientErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A message that does not follow the protocol.
  package static func malformed(_ message: String) -> UAFError {
    UAFError(.protocolError, message)
  }

  package var description: String { message }
}
