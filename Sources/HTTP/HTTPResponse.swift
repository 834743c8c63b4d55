internal import Primitives

/// One response, unmapped: status, fields and body as the server sent them.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The protocol: `HTTP/1.1`, `HTTP/2`.
  public var version: String
  /// The reason phrase of HTTP/1.1; empty if there is none.
  public var reason = ""
  /// The header fields in order.
  public var fields: HTTPFields
  /// The body, when it was collected; empty when it went to a sink.
  public var body: [UInt8]
  /// The URL of the request.
  public let url: HTTPURL
  /// The server's request for a client certificate; `nil` if it did not ask in this exchange.
  ///
  /// A later request on the same connection does not see it.
  public var certificateRequest: ClientCertificateRefusal?
  /// The name of the identity that the request could show to the server; `nil` for none.
  public var clientIdentity: String?
  /// The metrics of the transfer; all zero if it was not measured.
  public var metrics: TransferMetrics {
    get { measured?.value ?? TransferMetrics() }
    set { measured = Shared(newValue) }
  }
  /// The certificates that the server sent, each as lines of the form `Name:value` and its PEM.
  ///
  /// Only if the request has ``HTTPRequest/describesCertificates``; none on an open connection.
  public var certificates: [[String]] = []

  /// In an object: the metrics are larger than all the rest, and a response is copied often.
  private var measured: Shared<TransferMetrics>?

  /// Makes a response.
  public init(
    status: Int, version: String = "HTTP/1.1", fields: HTTPFields = [], body: [UInt8] = [],
    url: HTTPURL
  ) {
    self.status = status
    self.version = version
    self.fields = fields
    self.body = body
    self.url = url
  }

  /// Whether it leads to another URL.
  package var isRedirect: Bool {
    [301, 302, 303, 307, 308].contains(status) && fields["Location"]?.isEmpty == false
  }

  /// Where `Location` leads; `nil` if that is not a usable URL.
  package var redirectTarget: HTTPURL? {
    fields.first("Location").flatMap { try? url.resolving($0.uriReference) }
  }

  /// Protocol, status and reason phrase, with a space after the status also if there is no phrase.
  public var statusLine: String { "\(version) \(status) \(reason)" }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the media type is JSON (RFC 8259), or ends with `+json` (RFC 6839).
  public var isJSON: Bool {
    mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
  }

  /// The media type without parameters, lower-case.
  public var mediaType: String? {
    fields["Content-Type"].map { value in
      // By bytes: a semicolon with a combining mark is one Character in Swift.
      Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmingBlanks.asciiLowercased
    }
  }
}
