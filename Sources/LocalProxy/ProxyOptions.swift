public import SDKCore

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
