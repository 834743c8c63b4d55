package import HTTP
package import POSIX
import Synchronization

package enum LoopbackError: Error, Sendable, Hashable {
  case portInUse(UInt16)
  case timedOut
  case cancelled
  case system(SystemError)
}

package struct LoopbackRequest: Sendable, Hashable {
  /// The encoded parameters: the query of a GET, the body of a POST.
  package let parameters: String
}

/// Receives the authorization response from the browser on a loopback address (RFC 8252, 7.3).
///
/// Any page in the browser and any program on the machine can send requests to it, so only one
/// that the caller accepts ends the wait; all others get an error page.
package final class LoopbackListener: Sendable {
  package let port: UInt16
  /// The address to which the authorization server redirects the browser.
  package var redirectURI: String { "http://127.0.0.1:\(port)\(path)" }

  private let path: String
  private let state: LoopbackState

  /// Listens on 127.0.0.1, and on ::1 where the machine has it; port 0 takes a free one.
  ///
  /// The pages that the browser shows name the program. `refused` is called, once for each kind, for a request
  /// that may be the response but cannot be accepted; the wait goes on.
  package static func bind(
    port: UInt16 = 0, path: String = "/callback", program: String,
    refused: (@Sendable (LoopbackRefusal) -> Void)? = nil
  ) throws(LoopbackError) -> LoopbackListener {
    try bind(port: port, path: path, program: program, limits: LoopbackLimits(refused: refused))
  }

  static func bind(
    port: UInt16 = 0, path: String = "/callback", program: String, limits: LoopbackLimits
  ) throws(LoopbackError) -> LoopbackListener {
    do throws(SystemError) {
      let sockets = try ListeningSocket.open(port)
      return try LoopbackListener(
        sockets, path: path, program: program, state: try LoopbackState(), limits)
    } catch {
      throw error.isAddressInUse ? .portInUse(port) : .system(error)
    }
  }

  /// An address of the listener that redirects to a URL, for the command line of a browser.
  ///
  /// Other users of the machine can read the command line, and the URL contains the
  /// `state`. So the address redirects only once; a second request gets a page that says so,
  /// which warns the user.
  package func launchURL(to url: HTTPURL) -> HTTPURL {
    let path = "/start/" + LoopbackRoutes.secret()
    guard let launch = try? HTTPURL("http://127.0.0.1:\(port)\(path)") else { return url }
    state.change { $0.launch = LoopbackLaunch(path: path, target: url.description) }
    return launch
  }

  /// Waits for the one request that `accept` takes; for one call.
  ///
  /// `accept` gets the encoded parameters of each GET on the exact path, and of each POST if
  /// `formPost`. A refused request gets status 400, and the wait continues. After an error the
  /// listener is closed.
  package func wait(
    timeout: Duration, accept: @escaping @Sendable (String) -> Bool, formPost: Bool = false
  ) async throws(LoopbackError) -> LoopbackRequest {
    state.change { $0.expectation = LoopbackExpectation(allowsPost: formPost, accept: accept) }
    if let request = await state.accepted.wait(timeout: timeout) { return request }
    close()
    await state.ended.waitRegardless()
    throw Task.isCancelled ? .cancelled : .timedOut
  }

  /// Shows the outcome of the login in the browser, if it asks within about two seconds.
  package func finish(_ page: LoopbackPage) async {
    state.change { $0.outcome = page }
    await state.delivered.wait(timeout: .seconds(3))
  }

  package func close() { state.change { $0.isClosed = true } }

  private init(
    _ sockets: [ListeningSocket], path: String, program: String, state: LoopbackState,
    _ limits: LoopbackLimits
  ) throws(SystemError) {
    let port = sockets.first?.socket.port ?? 0
    (self.port, self.path, self.state) = (port, path, state)
    try BackgroundThread.start {
      let server = LoopbackServer(
        sockets, port: port, path: path, program: program, state: state, limits: limits)
      server.run()
    }
  }

  deinit { close() }
}

/// How many connections a listener serves at once, its clock, and who is told of refused responses.
struct LoopbackLimits: Sendable {
  /// At most a quarter of the descriptors: the rest is for the requests that follow.
  var connections = min(64, max(4, FileDescriptor.limit / 4))
  var now: @Sendable () -> Duration = { SystemClock.monotonic() }
  var refused: (@Sendable (LoopbackRefusal) -> Void)?
}

/// The request that the login waits for.
struct LoopbackExpectation {
  let allowsPost: Bool
  let accept: @Sendable (String) -> Bool
}

/// An address that redirects to another one, once.
struct LoopbackLaunch {
  let path: String
  let target: String
  var isUsed = false
}

/// The state that a listener shares with its thread.
final class LoopbackState: Sendable {
  struct Values {
    /// The redirect for the browser that is started, and whether it was used.
    var launch: LoopbackLaunch?
    /// Set once the login waits; until then requests that may be accepted are kept.
    var expectation: LoopbackExpectation?
    var outcome: LoopbackPage?
    var isClosed = false
  }

  /// Set to the accepted request.
  let accepted = OneShot<LoopbackRequest>()
  /// Set when the browser has the outcome, or does not ask for it.
  let delivered = OneShot<Void>()
  /// Set when all is closed.
  let ended = OneShot<Void>()
  /// Becomes readable with every change.
  let wake: WakePipe
  private let values = Mutex(Values())

  init() throws(SystemError) { wake = try WakePipe() }

  var current: Values { values.withLock { $0 } }

  func change(_ body: @Sendable (inout Values) -> Void) {
    values.withLock { body(&$0) }
    wake.signal()
  }
}

final class ListeningSocket: Sendable {
  let socket: LoopbackSocket

  private init(_ family: LoopbackSocket.Family, port: UInt16) throws(SystemError) {
    socket = try LoopbackSocket.listen(family, port: port)
  }

  /// Listens on 127.0.0.1 and, if the machine has that address, on ::1 with the same port.
  static func open(_ port: UInt16) throws(SystemError) -> [ListeningSocket] {
    // A port that is free for IPv4 may be taken for IPv6.
    var attempts = port == 0 ? 20 : 1
    while true {
      let first = try ListeningSocket(.v4, port: port)
      attempts -= 1
      do throws(SystemError) {
        return [first, try ListeningSocket(.v6, port: first.socket.port)]
      } catch {
        if error.isAddressMissing { return [first] }
        if attempts == 0 { throw error }
      }
    }
  }
}
