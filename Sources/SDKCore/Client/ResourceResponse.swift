public import HTTP

/// The response to a resource request: status, header fields and body as received.
public struct ResourceResponse: Sendable {
  /// The response of the transport.
  public let http: HTTPResponse

  /// Wraps a response.
  public init(_ http: HTTPResponse) { self.http = http }

  /// The status code.
  public var status: Int { http.status }
  /// The header fields in order.
  public var fields: HTTPFields { http.fields }
  /// The body; empty if it went to a sink.
  public var body: [UInt8] { http.body }
  /// The URL of the response, after redirects.
  public var url: HTTPURL { http.url }
  /// Whether the status is 2xx.
  public var isSuccess: Bool { http.isSuccess }

  /// The error of an HTTP error status, in the domain `transport` with the status as number; `nil` for a
  /// status below 400.
  public var error: SDKError? {
    guard status >= 400 else { return nil }
    return SDKError(
      .httpStatus, "could not fetch \(url.origin)\(url.path): the server returned \(status)",
      resource: .httpStatus(status), subject: url.host)
  }
}
