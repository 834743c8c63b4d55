internal import CMicroHTTPD
package import HTTP
import POSIX
import Synchronization

/// A connection of the library.
// Sendable: a suspended connection may be resumed on any thread; all else is done on the server's.
struct ServerConnection: @unchecked Sendable {
  let raw: OpaquePointer
}

/// One request and its response.
///
/// The server's thread and that of the transfer meet here, and nowhere else. If one of them must wait for
/// the other, the connection is suspended, or the transfer is by its gate; so there are never more than
/// a few hundred kilobytes of a body, in each direction.
package final class ServerExchange: Sendable {
  /// How much of a body waits for the other side, in bytes; of the beginning of a request's body this
  /// much is kept, so that it can be sent again.
  static let limit = 256 << 10

  typealias Serving = @Sendable (ServerExchange) -> Void
  package typealias TakeOver = @Sendable (TLSSession?) -> Void

  struct State {
    var request: ReceivedRequest?
    var connection: ServerConnection?
    var socket: Int32 = -1
    var isSuspended = false
    var hasTaken = true

    var input = Input()
    var isServed = false
    /// Serves the request, once.
    var serve: Serving?

    var head: ServerReply?
    /// The length of the response's body; `nil` if its end is not known.
    var length: Int64?
    var isReady = false
    var takeOver: TakeOver?
    var source: ServerBodySource?
    var output = ByteQueue()
    var isOutputComplete = false
    var hasFailed = false
    var cancel: (@Sendable () -> Void)?

    /// Whether the request has a body in chunks, of which the library reads lines that end with LF alone.
    var mayHaveBareLines: Bool {
      request?.fields.contains("Transfer-Encoding") == true && chttpd_is_strict() == 0
    }

    /// Lets the server's thread go on with the connection.
    mutating func resume() {
      guard isSuspended, let connection else { return }
      isSuspended = false
      chttpd_resume(connection.raw)
    }

    /// What serves the request, which is served from now on.
    mutating func served() -> Serving? {
      isServed = true
      return serve.take()
    }

    mutating func suspend() {
      guard let connection else { return }
      isSuspended = true
      chttpd_suspend(connection.raw)
    }
  }

  let state: Mutex<State>
  /// Suspends the transfer while the client does not take what has arrived.
  package let gate = TransferGate()
  private let target: String

  init(_ connection: ServerConnection, target: String) {
    self.target = target
    state = Mutex(State(connection: connection))
  }

  package var request: ReceivedRequest {
    state.withLock { $0.request } ?? ReceivedRequest("", target, isPlain: false)
  }

  /// Sets what is called if the client has closed its connection; it is called at once if it has.
  package func onAbort(_ cancel: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.cancel = cancel
      return state.hasFailed
    }
    if isOver { cancel() }
  }

  /// Whether the handler has got it.
  var isServed: Bool { state.withLock { $0.isServed } }

  /// Whether the client waits for a response and has closed its connection.
  var isAbandoned: Bool {
    state.withLock { $0.isSuspended && chttpd_is_closed($0.socket) != 0 }
  }

  /// Ends the exchange without a complete response: the connection is closed.
  func abort() {
    let cancel = state.withLock { state in
      state.hasFailed = true
      state.resume()
      state.input.signal()
      return state.cancel.take()
    }
    cancel?()
  }
}

// Called on the server's thread.
extension ServerExchange {
  var hasHead: Bool { state.withLock { $0.request != nil } }

  /// Whether a piece of the body can be read in one way only, as far as the lines before it are known; at the end
  /// of the body there is none.
  func isPlainPiece(_ bytes: UnsafePointer<CChar>?) -> Bool {
    guard let bytes, state.withLock({ $0.mayHaveBareLines }) else { return true }
    return chttpd_is_plain_piece(bytes) == 1
  }

  /// Whether the last bytes of the request's body were taken.
  var hasTaken: Bool { state.withLock { $0.hasTaken } }

  /// Reads the head, and refuses the request or goes on with its body.
  func begin(
    _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>, _ server: HTTPServer
  ) -> Bool {
    guard !server.isStopping, let connection = state.withLock({ $0.connection }) else {
      return false
    }
    let request = ReceivedRequest(connection.raw, method, target, version)
    let socket = chttpd_socket(connection.raw)
    state.withLock { state in
      (state.request, state.socket) = (request, socket)
    }
    switch server.decide(request) {
    case .serve(let serve):
      state.withLock { $0.serve = serve }
      return true
    case .refuse(var reply):
      // What follows on the connection may be a body, or be meant for another.
      reply.fields.append(HTTPField(known: "Connection", "close"))
      return reply.queue(on: connection)
    }
  }

  /// Takes bytes of the body, or sends the response once there are no more; `false` to close.
  func proceed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (goesOn, serve) = state.withLock { state in
      bytes.isEmpty ? complete(&state) : receive(bytes, &state)
    }
    guard let serve else { return goesOn }
    serve(self)
    // It may have responded at once.
    return bytes.isEmpty ? state.withLock { complete(&$0).goesOn } : true
  }

  private func receive(
    _ bytes: UnsafeRawBufferPointer, _ state: inout State
  ) -> (goesOn: Bool, serve: Serving?) {
    guard !state.hasFailed else { return (false, nil) }
    state.hasTaken = true
    if state.isOutputComplete || state.input.isDropped { return (true, nil) }
    guard !state.input.isFull else {
      state.hasTaken = false
      state.suspend()
      return (true, nil)
    }
    state.input.append(bytes)
    guard state.input.isStreamed else { return (true, nil) }
    return (true, state.served())
  }

  private func complete(_ state: inout State) -> (goesOn: Bool, serve: Serving?) {
    guard !state.hasFailed else { return (false, nil) }
    if !state.input.isComplete {
      state.input.isComplete = true
      state.input.signal()
    }
    guard state.isServed else {
      return (true, state.served())
    }
    guard state.isReady else {
      state.suspend()
      return (true, nil)
    }
    if let takeOver = state.takeOver, let connection = state.connection {
      takeOver(chttpd_tls_session(connection.raw).map { TLSSession(raw: OpaquePointer($0)) })
      return (false, nil)
    }
    return (queueResponse(&state), nil)
  }

  private func queueResponse(_ state: inout State) -> Bool {
    guard var head = state.head, let connection = state.connection else { return false }
    // Another program may have read the end of the body elsewhere: what follows is not read as a request.
    if state.mayHaveBareLines { head.fields.append(HTTPField(known: "Connection", "close")) }
    let length = state.length.map { UInt64(clamping: $0) } ?? .max
    let response: OpaquePointer?
    if state.request?.method == "HEAD" || head.status == 304 {
      response = chttpd_head_response(length)
    } else if let source = state.source {
      response = chttpd_streamed_response(
        length, readSource, Unmanaged.passRetained(source).toOpaque(), releaseSource)
    } else if state.isOutputComplete || head.status == 204 {
      let body = Array(state.output.take(state.output.count).joined())
      response = body.withUnsafeBytes { chttpd_response($0.baseAddress, $0.count) }
    } else {
      response = chttpd_streamed_response(
        length, readResponse, Unmanaged.passRetained(self).toOpaque(), releaseResponse)
    }
    return head.queue(response, on: connection)
  }

  /// Fills a buffer with the next bytes of the response.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (pieces, end) = state.withLock { state in
      let pieces = state.output.take(buffer.count)
      if state.output.count < Self.limit / 2 { gate.setSuspended(false) }
      return (pieces, pieces.isEmpty ? Self.end(&state) : 0)
    }
    return pieces.isEmpty ? end : buffer.fill(with: pieces)
  }

  /// What the library is told if there are no bytes: that there will be none, or that it is to wait.
  private static func end(_ state: inout State) -> Int {
    if state.isOutputComplete { return Int(CHTTPD_END) }
    if state.hasFailed { return Int(CHTTPD_FAILED) }
    state.suspend()
    return 0
  }

  func end() {
    let cancel = state.withLock { state in
      (state.connection, state.isSuspended) = (nil, false)
      let isOver = state.isOutputComplete
      state.hasFailed = true
      state.output.removeAll()
      state.input.signal()
      let cancel = state.cancel.take()
      return isOver ? nil : cancel
    }
    gate.setSuspended(false)
    cancel?()
  }
}

private func readResponse(
  _ box: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let box else { return Int(CHTTPD_FAILED) }
  return Unmanaged<ServerExchange>.fromOpaque(box).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func releaseResponse(_ box: UnsafeMutableRawPointer?) {
  if let box { Unmanaged<ServerExchange>.fromOpaque(box).release() }
}
