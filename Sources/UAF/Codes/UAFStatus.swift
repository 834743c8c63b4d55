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
  /// The server does not understand the message.
  public static let badRequest = UAFStatus(rawValue: 1400)
  /// The user must authenticate first, or the key is not the user's.
  public static let unauthorized = UAFStatus(rawValue: 1401)
  /// The user must not do this.
  public static let forbidden = UAFStatus(rawValue: 1403)
  /// There is no such thing.
  public static let notFound = UAFStatus(rawValue: 1404)
  /// The request took too long.
  public static let requestTimeout = UAFStatus(rawValue: 1408)
  /// The server knows no metadata of the authenticator.
  public static let unknownAAID = UAFStatus(rawValue: 1480)
  /// The server does not know the key; the client deletes it.
  public static let unknownKeyID = UAFStatus(rawValue: 1481)
  /// The channel binding is missing or differs.
  public static let channelBindingRefused = UAFStatus(rawValue: 1490)
  /// The request is unknown, expired or was answered before.
  public static let requestInvalid = UAFStatus(rawValue: 1491)
  /// The policy does not accept the authenticator.
  public static let unacceptableAuthenticator = UAFStatus(rawValue: 1492)
  /// The authenticator is revoked.
  public static let revokedAuthenticator = UAFStatus(rawValue: 1493)
  /// The key is not accepted.
  public static let unacceptableKey = UAFStatus(rawValue: 1494)
  /// The algorithm is not accepted.
  public static let unacceptableAlgorithm = UAFStatus(rawValue: 1495)
  /// The attestation is not accepted.
  public static let unacceptableAttestation = UAFStatus(rawValue: 1496)
  /// The capabilities of the client are not accepted.
  public static let unacceptableClientCapabilities = UAFStatus(rawValue: 1497)
  /// The content of the message is not accepted.
  public static let unacceptableContent = UAFStatus(rawValue: 1498)
  /// The server failed.
  public static let internalServerError = UAFStatus(rawValue: 1500)

  /// Whether the operation succeeded.
  public var isSuccess: Bool { self == .ok }

  /// Whether the result is not known yet.
  public var isPending: Bool { self == .accepted }

  /// Whether the key is of no use any more, so that the client deletes it.
  public var deletesKey: Bool { self == .unknownKeyID }

  /// The name in the specification, such as `Unknown KeyID`; `nil` for a number without one.
  public var name: String? { Self.rows[rawValue]?.name }

  /// The meaning: lower case, no period; for a number without one, that it is unknown.
  public var meaning: String {
    Self.rows[rawValue]?.meaning ?? "the server returned the unknown status \(rawValue)"
  }

  /// All numbers of the specification, in their order.
  package static var all: [UAFStatus] { rows.keys.sorted().map { UAFStatus(rawValue: $0) } }

  private static let rows: [Int: (name: String, meaning: String)] = [
    1200: ("OK", "the operation is complete"),
    1202: ("Accepted", "the server has not decided yet"),
    1400: ("Bad Request", "the server does not understand the message"),
    1401: ("Unauthorized", "the user must authenticate first, or the key is not the user's"),
    1403: ("Forbidden", "the user is not allowed to do this"),
    1404: ("Not Found", "the server does not find what the message is about"),
    1408: ("Request Timeout", "the server waited too long for the message"),
    1480: ("Unknown AAID", "the server does not know this kind of authenticator"),
    1481: ("Unknown KeyID", "the server does not know this key"),
    1490: ("Channel Binding Refused", "the channel binding is missing or differs"),
    1491: ("Request Invalid", "the request is unknown or expired, or was answered before"),
    1492: ("Unacceptable Authenticator", "the server does not accept this authenticator"),
    1493: ("Revoked Authenticator", "the authenticator is revoked"),
    1494: ("Unacceptable Key", "the server does not accept the key"),
    1495: ("Unacceptable Algorithm", "the server expects a stronger algorithm"),
    1496: ("Unacceptable Attestation", "the server does not accept the attestation"),
    1497: ("Unacceptable Client Capabilities", "the server does not accept this client"),
    1498: ("Unacceptable Content", "the server does not accept the content of the message"),
    1500: ("Internal Server Error", "the server failed"),
  ]
}
