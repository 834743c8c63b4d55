internal import Primitives

/// Why a request got no response.
///
/// The codes are for scripts, `message` is for people.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure; more may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, as `--json` errors carry it.
    public let description: String

    /// The host name could not be resolved.
    public static let nameNotResolved = Code(description: "name_not_resolved")
    /// The connection was not made, or it was lost.
    public static let connection = Code(description: "connection_failed")
    /// The proxy could not be reached, or it refused the connection.
    public static let proxy = Code(description: "proxy_failed")
    /// The proxy that is set cannot be used.
    public static let proxyUnusable = Code(description: "proxy_unusable")
    /// The time limit passed.
    public static let timeout = Code(description: "timeout")
    /// Chain, host name or protocol refused.
    public static let tls = Code(description: "tls_failed")
    /// No key of the validated chain is pinned.
    public static let pinMismatch = Code(description: "pin_mismatch")
    /// The profile enforces pins and has none for the host.
    public static let notPinned = Code(description: "host_not_pinned")
    /// The pins of the host have expired.
    public static let pinsExpired = Code(description: "pins_expired")
    /// The server wants a client certificate.
    public static let clientCertificateRequired = Code(
      description: "client_certificate_required")
    /// The message is not HTTP, or was cut short.
    public static let malformed = Code(description: "malformed_response")
    /// The body or a field is larger than allowed.
    public static let tooLarge = Code(description: "response_too_large")
    /// The body is not encrypted as it must be, or it is not the response to the request.
    public static let notEncrypted = Code(description: "payload_not_encrypted")
    /// The URL is not one that may be fetched (`http:` to another machine).
    public static let refused = Code(description: "url_refused")
    /// The receiver refused the response's body.
    public static let responseBodyRefused = Code(description: "response_body_refused")
    /// The source of the request's body failed, or cannot be read again.
    public static let requestBodyFailed = Code(description: "request_body_failed")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// The file of trusted authorities cannot be read.
    public static let caFile = Code(description: "ca_file_unusable")
    /// libcurl is missing or unsuitable.
    public static let unavailable = Code(description: "transport_unavailable")
  }

  private struct Members: Sendable, Hashable {
    let code: Code
    let message: String
    let host: String?
    let details: [String]
    let certificateRefusal: ClientCertificateRefusal?
    var metrics: TransferMetrics?
  }

  /// In an object: every function that may fail has memory for an error.
  private var shared: Shared<Members>

  /// The kind of failure.
  public var code: Code { shared.value.code }
  /// The cause in words: lower case, no period, no secrets.
  public var message: String { shared.value.message }
  /// The message.
  public var description: String { message }
  /// The host of the request.
  public var host: String? { shared.value.host }
  /// Further lines for people: of a pin mismatch, the chain's keys and the pinned ones.
  public var details: [String] { shared.value.details }
  /// The server's request for a client certificate, or its refusal of one, if that is the cause.
  public var certificateRefusal: ClientCertificateRefusal? { shared.value.certificateRefusal }
  /// The connection and the times, as far as the transfer came; `nil` if it did not begin.
  public var metrics: TransferMetrics? {
    get { shared.value.metrics }
    set {
      var members = shared.value
      members.metrics = newValue
      shared = Shared(members)
    }
  }

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, host: String? = nil, details: [String] = [],
    certificateRefusal: ClientCertificateRefusal? = nil
  ) {
    shared = Shared(
      Members(
        code: code, message: message, host: host, details: details,
        certificateRefusal: certificateRefusal))
  }
}
