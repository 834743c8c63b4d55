/// Sends one request and returns its response.
///
/// A transport follows no redirect, adds no credential and repeats nothing. It checks chain, host name and
/// pins before the first byte of a request is sent.
public protocol Transport: Sendable {
  /// Sends a request and awaits the end of its response.
  ///
  /// Cancelling the task ends the transfer.
  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError)
    -> HTTPResponse

  /// Why a request to a URL would be refused before any connection is made; `nil` if one would be made.
  func refusal(of url: HTTPURL) -> TransportError?
}

extension Transport {
  /// Returns `nil`: nothing is known before a connection.
  public func refusal(of url: HTTPURL) -> TransportError? { nil }

  /// Sends a request and collects at most `limit` bytes of its response's body, which must not be encoded:
  /// without that word a server may choose any coding (RFC 9110 section 12.5.3).
  public func send(
    _ request: HTTPRequest, limit: Int = 1 << 20
  ) async throws(TransportError) -> HTTPResponse {
    var request = request
    if !request.fields.contains("Accept-Encoding") {
      request.fields.append(HTTPField(known: "Accept-Encoding", "identity"))
    }
    return try await send(request, receiving: .collect(limit: limit))
  }
}

/// The receiver of a response's body.
public enum HTTPBodyReceiver: Sendable {
  /// Into memory; more than `limit` bytes end the transfer with ``TransportError/Code/tooLarge``.
  case collect(limit: Int)
  /// To a sink, as it arrives.
  case sink(any HTTPBodySink)
}

/// Receives a response as it arrives.
///
/// Called on the transport's thread, one call at a time.
public protocol HTTPBodySink: AnyObject, Sendable {
  /// The status and fields are complete; `false` ends the transfer.
  func begin(_ response: HTTPResponse) -> Bool
  /// The next bytes; `false` ends the transfer with ``TransportError/Code/responseBodyRefused``.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Whether it has refused a response because it needs another one.
  var wantsRestart: Bool { get }
  /// Drops what it has received, because another response follows; `false` if it cannot.
  func restart() -> Bool
}

extension HTTPBodySink {
  /// Returns `false`.
  public var wantsRestart: Bool { false }

  /// Returns `false`: nothing can be dropped.
  public func restart() -> Bool { false }
}
