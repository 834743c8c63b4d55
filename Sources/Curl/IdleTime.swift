import CCurl
import HTTP

/// How long a transfer has moved no byte while it waited for the network.
struct IdleTime {
  private var length = Duration.zero
  private var carried: Int64 = -1

  /// How much of the limit is left.
  func remaining(of limit: Duration) -> Duration { max(.zero, limit - length) }

  /// Adds a wait; starts again at zero if bytes were moved meanwhile.
  mutating func add(_ wait: Duration, carried: Int64) {
    length = carried == self.carried ? length + wait : .zero
    self.carried = carried
  }
}

/// Decides when a loop checks its transfers for being idle.
///
/// A check after each wait would take more time than the transfers, if there are many.
struct IdleWatch {
  private var waited = Duration.zero
  private var interval: Duration?

  /// How long the next wait may be.
  var longestWait: Duration {
    // Without limits, an hour: only commands and sockets can bring work.
    interval.map { max(.zero, $0 - waited) } ?? .seconds(3600)
  }

  /// Notes the limit of a transfer.
  mutating func add(_ limit: Duration?) {
    guard let limit else { return }
    interval = min(interval ?? limit / 16, limit / 16)
  }

  /// Adds a wait; if a check is due, returns the time since the last one.
  mutating func add(wait: Duration) -> Duration? {
    waited += wait
    guard let interval, waited >= interval else { return nil }
    defer { waited = .zero }
    return waited
  }
}

extension Transfer {
  /// The idle limit that this transfer has once there is a connection.
  var possibleIdleLimit: Duration? { request.timeout == nil ? configuration.idleTimeout : nil }

  /// Adds a wait; returns an error if the transfer was idle for too long.
  func note(wait: Duration) -> TransportError? {
    guard let limit = idleLimit, let easy else { return nil }
    idleTime.add(wait, carried: easy.carriedBytes)
    guard idleTime.remaining(of: limit) == .zero else { return nil }
    return TransportError(
      .timeout, "\(request.url.place) sent and took nothing within \(limit)",
      host: request.url.host)
  }

  /// A request with its own timeout has no idle limit; before the connection is made,
  /// the connection timeout applies.
  private var idleLimit: Duration? {
    guard !isPaused, awaitedDescriptor == nil, let easy, easy.count(CURLINFO_PRETRANSFER_TIME_T) > 0
    else { return nil }
    return possibleIdleLimit
  }
}

extension EasyHandle {
  /// The bytes of bodies, in both directions, and of the heads.
  fileprivate var carriedBytes: Int64 {
    count(CURLINFO_SIZE_DOWNLOAD_T) + count(CURLINFO_SIZE_UPLOAD_T)
      + Int64(number(CURLINFO_HEADER_SIZE) + number(CURLINFO_REQUEST_SIZE))
  }
}
