import CCurl
import HTTP
import Primitives
import Synchronization

/// One request and its response, from submission to end.
// Sendable: made on one thread and handed to the loop's thread, which then owns it; only the
// flag is shared.
final class Transfer: @unchecked Sendable {
  let request: HTTPRequest
  let check: HandshakeCheck?
  let configuration: TransportConfiguration
  /// Where it connects to.
  let route: Route
  /// Whether the transfer ends after the handshake.
  let connectsOnly: Bool
  let isCancelled = Atomic(false)
  /// Resumed once, at the end.
  var continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
  /// The handle while the transfer runs.
  private(set) var easy: EasyHandle?
  /// The checks of the connection that it uses, which another transfer may have made.
  private(set) var connectionCheck: HandshakeCheck?
  /// The HTTP/1.1 connections that the transfers of the loop use.
  var usedConnections: UsedConnections?
  /// The one of them that this transfer uses; `nil` for HTTP/2.
  private var ownConnection: UnsafeRawPointer?
  /// Whether libcurl has chosen one that another transfer is using.
  private var wasGivenUsedConnection = false
  /// Whether it uses no open connection: see ``startsAgain(after:)``.
  private(set) var needsNewConnection = false
  private var reader: ResponseReader
  private var body: RequestBody?
  /// Whether the transfer is suspended.
  private(set) var isPaused = false
  /// The descriptor that must be readable before more of the request's body is sent.
  private(set) var awaitedDescriptor: Int32?
  /// The TLS protocol of the connection; set when the response's header is complete.
  private var tlsProtocol: String?
  /// Why one of our callbacks ended the transfer.
  private var failure: TransportError?

  init(
    _ request: HTTPRequest, receiver: HTTPBodyReceiver, check: HandshakeCheck?,
    configuration: TransportConfiguration, connectsOnly: Bool, route: Route = .configured
  ) {
    self.request = request
    self.route = route
    self.check = check
    self.configuration = configuration
    self.connectsOnly = connectsOnly
    reader = ResponseReader(
      url: request.url, receiver: receiver, decodesContent: request.decodesContent)
    reader.isMultiplexed = request.url.scheme == .https
    reader.hasBody = request.method != .head
    if case .stream(let source, let length) = request.body {
      body = RequestBody(source, length: length)
    }
  }

  /// Makes a handle with the options of the request; called on the loop's thread.
  func prepare() -> Result<EasyHandle, TransportError> {
    do throws(CurlFailure) {
      let easy = try EasyHandle()
      try configure(easy)
      self.easy = easy
      trace(connectsOnly ? "* handshake with \(request.url.place)" : "> \(request.line)")
      return .success(easy)
    } catch {
      return .failure(unavailable(error.code))
    }
  }

  /// Whether the transfer starts again, once, on a new connection; it then has no handle.
  ///
  /// A request that finds its connection closed, before anything of a response, is sent again by
  /// libcurl on another one, but only five times. A server that serves few requests on each connection
  /// can close more of them before it takes this one. libcurl does not send again what an HTTP/2
  /// server refused when it ended the connection, though none of that was processed (RFC 9113 6.8).
  ///
  /// The server may have processed the request all the same, so one that is not idempotent is not
  /// sent again (RFC 9110 section 9.2.2).
  func startsAgain(after code: CURLcode) -> Bool {
    guard !needsNewConnection, wasGivenUsedConnection || wasClosed(with: code),
      body?.rewind() ?? true
    else { return false }
    let reason =
      wasGivenUsedConnection
      ? "another request uses the connection" : "\(request.url.place) closed the connection"
    trace("* \(reason): the request is sent on a new one")
    release()
    (easy, connectionCheck) = (nil, nil)
    (awaitedDescriptor, needsNewConnection) = (nil, true)
    (failure, wasGivenUsedConnection) = (nil, false)
    return true
  }

  /// Whether the server closed a connection that had served others, before anything of a response.
  private func wasClosed(with code: CURLcode) -> Bool {
    guard closedCodes.contains(code), let easy, request.method.isIdempotent else { return false }
    return easy.number(CURLINFO_NUM_CONNECTS) == 0 && easy.number(CURLINFO_HEADER_SIZE) == 0
  }

  private func release() {
    if let ownConnection { usedConnections?.release(ownConnection, of: self) }
    ownConnection = nil
  }

  /// Suspends the transfer, or resumes it; called on the loop's thread.
  func pause(_ isPaused: Bool) {
    guard let easy else { return }
    self.isPaused = isPaused
    easy.pause(isPaused)
  }

  /// Continues to send the request's body; called on the loop's thread.
  func resumeBody() {
    awaitedDescriptor = nil
    if !isPaused { easy?.pause(false) }
  }

  /// Ends the transfer with the result of libcurl.
  func finish(after code: CURLcode) {
    guard let easy else { return }
    guard code == CURLE_OK else {
      var error = failure ?? reader.failure ?? error(for: code, of: easy)
      error.metrics = metrics(of: easy, tls: tlsProtocol, hasFailed: true)
      return finish(.failure(error))
    }
    guard reader.end() else { return finish(.failure(reader.failure ?? .cancelled)) }
    reader.isEndAnnounced = connectionCheck?.isEndAnnounced ?? true
    let metrics = metrics(of: easy, tls: tlsProtocol)
    if !connectsOnly { trace("* \(metrics.downloaded) bytes after \(metrics.total)") }
    reader.response.metrics = metrics
    if request.describesCertificates { reader.response.certificates = easy.certificates }
    finish(connectsOnly ? .success(reader.response) : reader.result)
  }

  func finish(_ result: Result<HTTPResponse, TransportError>) {
    if case .failure(let error) = result { trace("* \(error.message)") }
    release()
    easy = nil
    continuation?.resume(returning: result)
    continuation = nil
  }

  private func trace(_ line: @autoclosure () -> String) {
    guard let trace = configuration.trace else { return }
    trace(line())
  }
}

// Called by the callbacks of libcurl.
extension Transfer {
  func receiveLines(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let wasComplete = reader.isHeadComplete
    if !wasComplete, let request = connectionCheck?.identityRequest {
      reader.response.certificateRequest = ClientCertificateRefusal(
        .requested, issuers: request.issuers)
    }
    guard reader.receiveLines(bytes) else { return false }
    if !wasComplete, reader.isHeadComplete {
      tlsProtocol = easy.flatMap { ccurl_tls_protocol($0.raw) }
        .map { String(cString: $0) }
      traceHead()
    }
    return true
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool { reader.receiveBody(bytes) }

  /// Fills libcurl's buffer; returns the number of bytes, or a code of `CURLOPT_READFUNCTION`.
  ///
  /// A read that would block suspends the transfer, because all transfers have one thread.
  func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    awaitedDescriptor = body?.awaitedDescriptor
    guard awaitedDescriptor == nil else { return Int(CURL_READFUNC_PAUSE) }
    switch body?.read(into: buffer) {
    case .success(let count): return count
    case .failure(let error): failure = error
    case nil: return 0
    }
    return Int(CURL_READFUNC_ABORT)
  }

  /// Whether the request may be sent on the connection that libcurl has chosen.
  ///
  /// No other transfer may be using it, if it is one of HTTP/1.1.
  func mayUseConnection() -> Bool {
    guard let easy else { return false }
    if let limit = request.sendBefore, ContinuousClock.now >= limit {
      failure = TransportError(
        .timeout, "\(request.url.place) was not asked: the request could not be sent in time",
        host: request.url.host)
      return false
    }
    // libcurl may have chosen another one since.
    release()
    connectionCheck = easy.connectionCheck
    guard let connection = easy.exclusiveConnection else { return true }
    reader.isMultiplexed = false
    guard usedConnections?.take(connection, for: self) ?? true else {
      wasGivenUsedConnection = true
      failure = TransportError(
        .connection, "libcurl chose a connection that is in use", host: request.url.host)
      return false
    }
    ownConnection = connection
    return true
  }

  func rewindBody() -> Bool { body?.rewind() ?? false }

  var hasReadBody: Bool { body?.hasBegun == true }

  private func traceHead() {
    if let tlsProtocol { trace("* \(tlsProtocol) with \(request.url.place)") }
    trace("< \(reader.response.statusLine)")
  }
}

/// The HTTP/1.1 connections that transfers use at the moment, each of them one.
///
/// libcurl takes all connections to a host for HTTP/2 once a status line there says so, and then sends several
/// requests at the same time on one of HTTP/1.1: each could get the response of another. Before 8.10.0 it notes for
/// a host, not for a connection, whether requests share connections (curl pull request 14662).
final class UsedConnections {
  private var users: [UnsafeRawPointer: Transfer] = [:]

  /// Notes the user of a connection; returns whether it may be used.
  func take(_ connection: UnsafeRawPointer, for transfer: Transfer) -> Bool {
    // A transfer may have left its connection to the next one before the loop is told of its end.
    if let user = users[connection], user !== transfer,
      user.easy?.exclusiveConnection == connection
    {
      return false
    }
    users[connection] = transfer
    return true
  }

  func release(_ connection: UnsafeRawPointer, of transfer: Transfer) {
    if users[connection] === transfer { users[connection] = nil }
  }
}

/// What libcurl returns when it no longer repeats a request: after a reset of the connection, after
/// another end, and after the end of an HTTP/2 connection.
private let closedCodes = [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2]

extension HTTPURL {
  /// Host and port, for people.
  var place: String { String(origin.dropFirst(scheme.rawValue.count + 3)) }
}

extension HTTPRequest {
  /// Method and path for a log; a query may hold secrets.
  fileprivate var line: String {
    "\(method) \(url.origin)\(url.path)\(url.query == nil ? "" : "?…")"
  }
}
