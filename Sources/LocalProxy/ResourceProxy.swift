import HTTP
import HTTPServer
import POSIX
import Primitives
public import SDKCore

/// A server on this machine that passes requests on with the credential of an access, so that any program
/// can send what ``ResourceService/send(_:as:receiving:loggingIn:retrying:preparing:)`` sends.
///
/// Only programs of this user that know its address can use it: the first segment of its path is a secret, or
/// its socket is this user's. The body of a request up to 256 KiB is kept, and sent again if the server
/// refuses the token. A longer one is streamed: if the server has read more of it, the response is
/// passed on.
public final class ResourceProxy: Sendable {
  /// The address: `http://127.0.0.1:PORT/SECRET`, or `http://localhost` for a Unix domain socket.
  public let url: String
  private let listener: ProxyListener
  private let server: HTTPServer
  private let endTime: Duration

  /// Listens; requests are passed on from now on.
  ///
  /// The tasks of the requests run where this is called.
  ///
  /// - Parameters:
  ///   - options: where it listens, and for whom.
  ///   - resources: called for each request; returns the service that sends it.
  /// - Throws: ``SDKError`` if nothing can be listened on, or the library of the server is missing.
  public init(
    _ options: ProxyOptions,
    over resources: @escaping @Sendable () throws(SDKError) -> ResourceService
  ) throws(SDKError) {
    let listener = try ProxyListener(options.listener)
    let rules = ProxyRules(
      hosts: listener.hosts, secret: listener.secret,
      allowedOrigins: Set(options.allowedOrigins.map(\.asciiLowercased)))
    self.listener = listener
    url = listener.url
    endTime = options.endTime
    do throws(HTTPServerError) {
      let handler = ProxyHandler(
        resources: resources, options: options, rules: rules, listener: listener,
        thread: TaskThread.current)
      server = try HTTPServer(
        on: listener.descriptor,
        admitting: { handler.admits($0) }
      ) { handler.verdict(on: $0) }
    } catch {
      throw SDKError(.unavailable, "could not start the proxy: \(error.message)")
    }
  }

  // The server must not outlive its socket.
  deinit { server.stop() }

  /// Passes requests on until the task is cancelled or the time has passed, and then until those that run
  /// have ended.
  public func run(for time: Duration? = nil) async {
    let deadline = time.map { ContinuousClock.now.advanced(by: $0) }
    while !Task.isCancelled {
      let left = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(1)
      if left <= .zero { break }
      try? await Task.sleep(for: min(left, .seconds(1)))
      server.dropAbandoned()
    }
    await end()
  }

  /// Takes no new connection, and waits until the requests that run have ended.
  public func end() async {
    listener.close()
    let (server, time) = (server, endTime)
    // A cancelled task would not wait.
    _ = await Task { await server.drain(within: time) }.value
    server.stop()
  }
}

/// How a ``ResourceProxy`` works.
public struct ProxyOptions: Sendable {
  /// Where a proxy listens.
  public enum Listener: Sendable, Hashable {
    /// A port of 127.0.0.1; 0 for a free one.
    case port(UInt16)
    /// A Unix domain socket with this path, for this user only.
    case socket(String)
  }

  /// Where it listens.
  public var listener = Listener.port(0)
  /// Which credential the requests get.
  public var access = Access.user
  /// The origins of pages that may use the proxy, such as `https://app.example.com`.
  public var allowedOrigins: [String] = []
  /// Lets the user log in; `nil` if no login may be started.
  public var logIn: LoginHandler?
  /// How long requests may still run after the end, before they are ended.
  public var endTime = Duration.seconds(10)
  /// Called for each request after its end.
  public var log: (@Sendable (ProxyLogEntry) -> Void)?

  /// Makes options for a free port, as the user.
  public init() {}
}

/// One request of a ``ResourceProxy``, without its secrets.
public struct ProxyLogEntry: Sendable {
  /// The method; empty if no request was read.
  public let method: String
  /// The path behind the secret, without its query; `nil` for a refused request.
  public let path: String?
  /// The status of the response; 0 if there was none.
  public let status: Int
  /// How many bytes of its body came from the server.
  public let size: Int
  /// How long it took.
  public let duration: Duration
  /// Why it was refused or failed; `nil` if it was passed on.
  public let cause: String?
}
