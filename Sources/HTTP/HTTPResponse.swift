import Primitives

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

  /// The `Content-Range` of the response; `nil` if it is missing, invalid or repeated.
  public var contentRange: ContentRange? {
    let values = fields.values(of: "Content-Range")
    return values.count == 1 ? ContentRange(values[0]) : nil
  }
}

// What a response says about another try.
extension HTTPResponse {
  /// Whether the status says that the same request may succeed later: not if the server lacks what the
  /// request needs (501, 505).
  package var asksForLater: Bool {
    [408, 425, 429].contains(status) || status >= 500 && ![501, 505].contains(status)
  }

  /// The seconds that `Retry-After` asks to wait, a date as compared with the `Date` of the response; `nil` if
  /// it asks for nothing.
  package var pause: Int64? {
    guard asksForLater || isRedirect else { return nil }
    let sent = fields["Date"].flatMap { HTTPDate.read($0) }
    let isDate = fields["Retry-After"]?.utf8.first?.isDigit == false
    guard !isDate || sent != nil else { return nil }
    return retryAfter(at: sent ?? 0)?.components.seconds
  }

  /// `returned 429`, with what `Retry-After` says.
  package var returned: String {
    "returned \(status)" + (pause.map { ", and asks to wait \($0) s" } ?? "")
  }
}

/// The range of a resource that a body has: the field `Content-Range` (RFC 9110 section 14.4).
public struct ContentRange: Sendable, Hashable {
  /// The bytes of the part; `nil` if the server could not send the requested part.
  public let bytes: ClosedRange<Int64>?
  /// The length of the whole resource; `nil` if the server does not know it.
  public let total: Int64?

  /// Makes a range.
  public init(bytes: ClosedRange<Int64>?, total: Int64?) {
    self.bytes = bytes
    self.total = total
  }

  /// Reads `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
  ///
  /// `nil` for another unit, and for a range that ends before it starts or after the resource ends:
  /// such a part must not be combined with another one.
  public init?(_ text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, String(Substring(words[0])).equalsIgnoringCase("bytes") else {
      return nil
    }
    let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    total = Self.number(parts[1])
    guard total != nil || parts[1].elementsEqual("*".utf8) else { return nil }
    if parts[0].elementsEqual("*".utf8), total != nil {
      bytes = nil
      return
    }
    let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    bytes = first...last
  }

  /// Digits without a sign.
  private static func number(_ text: Substring.UTF8View) -> Int64? {
    text.allSatisfy(\.isDigit) ? Int64(Substring(text)) : nil
  }
}
