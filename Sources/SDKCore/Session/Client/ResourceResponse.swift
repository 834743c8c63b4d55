public import HTTP

/// The response to a resource request: status, header fields and body as received.
public typealias ResourceResponse = HTTPResponse

extension ResourceResponse {
  /// The error of an HTTP error status, in the domain `transport` with the status as number; `nil` for a
  /// status below 400.
  public var error: SDKError? {
    guard status >= 400 else { return nil }
    return SDKError(
      .httpStatus, "could not fetch \(url.origin)\(url.path): the server returned \(status)",
      resource: .httpStatus(status), subject: url.host)
  }
}
