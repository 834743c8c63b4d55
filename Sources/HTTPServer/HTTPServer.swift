import CMicroHTTPD
import HTTP
package import POSIX
import Synchronization

/// What a server does with a request; called on the server's thread, which must not wait.
package enum ServerVerdict: Sendable {
  /// It gets this response, before its body is read.
  case refuse(ServerReply)
  /// It is served: the exchange must get a response, now or later.
  case serve(@Sendable (ServerExchange) -> Void)
}

/// Decides whether a client may connect, by its address; called on the server's thread, which must not wait.
package typealias ServerAdmission = @Sendable (SocketEnd?) -> Bool

package struct HTTPServerLimits: Sendable {
  /// How many connections there are at once; at most a quarter of the descriptors.
  package var connections = min(256, max(8, FileDescriptor.limit / 4))
  /// How long a connection may be idle, in seconds.
  package var idleSeconds = 75
  /// The memory of a connection, in bytes; its head must fit into the half of it.
  package var memory = 64 << 10

  package init() {}
}

package struct HTTPServerError: Error, Sendable {
  package let message: String
}

/// An HTTP/1.1 server over libmicrohttpd, which has one thread for all connections.
package final class HTTPServer: Sendable {
  /// The library's daemon.
  // Sendable: the functions that get it may be called from any thread.
  private struct Daemon: @unchecked Sendable { let raw: OpaquePointer }

  private struct State {
    var daemon: Daemon?
    var isQuiet = false
    var exchanges: [ObjectIdentifier: ServerExchange] = [:]

    /// Whether no request is served; one that has not arrived may never do.
    var isIdle: Bool { exchanges.values.allSatisfy { !$0.isServed } }
  }

  private let state = Mutex(State())
  private let drained = OneShot<Void>()
  fileprivate let admit: ServerAdmission?
  /// Decides about the head of a request.
  let decide: @Sendable (ReceivedRequest) -> ServerVerdict

  /// Serves the connections of a listening socket, which the caller keeps open.
  package init(
    on listener: Int32, limits: HTTPServerLimits = HTTPServerLimits(), tls: ServerTLS? = nil,
    admitting admit: ServerAdmission? = nil,
    deciding decide: @escaping @Sendable (ReceivedRequest) -> ServerVerdict
  ) throws(HTTPServerError) {
    self.admit = admit
    self.decide = decide
    if let reason = chttpd_load() { throw HTTPServerError(message: String(cString: reason)) }
    let callbacks = chttpd_callbacks(
      box: Unmanaged.passUnretained(self).toOpaque(), admit: admit == nil ? nil : admitClient,
      begin: beginExchange, handle: handleExchange, end: endExchange)
    let daemon = ServerTLS.withOptions(of: tls) { options in
      chttpd_start(
        listener, callbacks,
        chttpd_limits(
          connections: UInt32(limits.connections), idle_seconds: UInt32(limits.idleSeconds),
          memory: limits.memory), options)
    }
    guard let daemon else {
      throw HTTPServerError(message: "libmicrohttpd could not start its thread")
    }
    let owned = Daemon(raw: daemon)
    state.withLock { $0.daemon = owned }
  }

  deinit { stop() }

  /// Accepts no connection any more, and waits until the requests that run have ended; `false` after the time.
  @discardableResult
  package func drain(within time: Duration) async -> Bool {
    let isIdle = state.withLock { state in
      quiet(&state)
      return state.isIdle
    }
    if isIdle { return true }
    return await drained.wait(timeout: time) != nil
  }

  /// Ends all requests, closes all connections and ends the thread.
  package func stop() {
    let (daemon, exchanges) = state.withLock { state in
      quiet(&state)
      defer { state.daemon = nil }
      return (state.daemon, Array(state.exchanges.values))
    }
    guard let daemon else { return }
    for exchange in exchanges { exchange.abort() }
    chttpd_stop(daemon.raw)
  }

  /// Whether the daemon is being stopped: no connection may be suspended any more.
  var isStopping: Bool { state.withLock { $0.isQuiet && $0.daemon == nil } }

  /// Ends the requests whose clients have closed their connections.
  ///
  /// The library does not look at a connection that waits for its response.
  package func dropAbandoned() {
    let exchanges = state.withLock { Array($0.exchanges.values) }
    for exchange in exchanges where exchange.isAbandoned { exchange.abort() }
  }

  private func quiet(_ state: inout State) {
    guard !state.isQuiet, let daemon = state.daemon else { return }
    state.isQuiet = true
    chttpd_quiesce(daemon.raw)
  }

  fileprivate func add(_ exchange: ServerExchange) {
    state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
  }

  fileprivate func remove(_ exchange: ServerExchange) {
    let isDrained = state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = nil
      return state.isQuiet && state.isIdle
    }
    if isDrained { drained.set(()) }
  }
}

// The callbacks of the library. The box of the server is not retained: it stops the daemon before it
// ends. That of an exchange is retained from its beginning to its end.

private func server(_ box: UnsafeMutableRawPointer?) -> HTTPServer? {
  box.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

private func admitClient(
  _ box: UnsafeMutableRawPointer?, _ address: UnsafeRawPointer?, _ size: UInt32
) -> Int32 {
  guard let admit = server(box)?.admit else { return 0 }
  return admit(SocketEnd(raw: UnsafeRawBufferPointer(start: address, count: Int(size)))) ? 1 : 0
}

private func beginExchange(
  _ box: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let server = server(box), let target, let connection else { return nil }
  let exchange = ServerExchange(
    ServerConnection(raw: connection), target: String(cString: target))
  server.add(exchange)
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func handleExchange(
  _ box: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
  guard let server = server(box), let raw = exchange?.pointee, let method, let version, let count
  else { return 0 }
  let exchange = Unmanaged<ServerExchange>.fromOpaque(raw).takeUnretainedValue()
  let goesOn: Bool
  if exchange.hasHead {
    guard exchange.isPlainPiece(bytes) else { return 0 }
    goesOn = exchange.proceed(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
    if goesOn, exchange.hasTaken { count.pointee = 0 }
  } else {
    goesOn = exchange.begin(method, version, server)
  }
  return goesOn ? 1 : 0
}

private func endExchange(
  _ box: UnsafeMutableRawPointer?, _: OpaquePointer?,
  _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: Int32
) {
  guard let raw = exchange?.pointee else { return }
  exchange?.pointee = nil
  let exchange = Unmanaged<ServerExchange>.fromOpaque(raw).takeRetainedValue()
  exchange.end()
  server(box)?.remove(exchange)
}

/// How a server speaks TLS: libmicrohttpd does it by GnuTLS, which only the caller links to.
// Sendable: the pointer is that of a function.
package struct ServerTLS: @unchecked Sendable {
  private let certificates: UnsafeRawPointer
  private let opened: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let priorities: String
  private let authorities: String?

  /// Makes the setup of a server.
  ///
  /// - Parameters:
  ///   - certificates: a `gnutls_certificate_retrieve_function2`, called in each handshake.
  ///   - opened: called with the `gnutls_session_t` of each connection before its handshake.
  ///   - priorities: a priority string of GnuTLS: versions and ciphers.
  ///   - authorities: certificates (PEM) whose names each client is told when it is asked for its
  ///     certificate; `nil` to ask for none.
  package init(
    certificates: UnsafeRawPointer,
    opened: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, priorities: String,
    authorities: String? = nil
  ) {
    self.opened = opened
    self.certificates = certificates
    self.priorities = priorities
    self.authorities = authorities
  }

  static func withOptions<Result>(
    of tls: ServerTLS?, _ body: (UnsafePointer<chttpd_tls>?) -> Result
  ) -> Result {
    guard let tls else { return body(nil) }
    func run(_ priorities: UnsafePointer<CChar>, _ authorities: UnsafePointer<CChar>?) -> Result {
      withUnsafePointer(
        to: chttpd_tls(
          certificates: tls.certificates, opened: tls.opened, priorities: priorities,
          authorities: authorities), body)
    }
    return tls.priorities.withCString { priorities in
      tls.authorities?.withCString { run(priorities, $0) } ?? run(priorities, nil)
    }
  }
}

/// A session of GnuTLS: valid in a call on the server's thread, and not after it.
// Sendable: only what is called on the server's thread gets one.
package struct TLSSession: @unchecked Sendable {
  /// The `gnutls_session_t`.
  package let raw: OpaquePointer
}
