import CCurl
import HTTP

/// For how long a transfer carried no byte, while nothing but the network was waited for.
struct IdleTime {
  private var length = Duration.zero
  private var carried: Int64 = -1

  /// How much longer it may last.
  func remaining(of limit: Duration) -> Duration { max(.zero, limit - length) }

  /// Adds a wait, unless bytes came or went meanwhile.
  mutating func add(_ wait: Duration, carried: Int64) {
    length = carried == self.carried ? length + wait : .zero
    self.carried = carried
  }
}

extension Transfer {
  /// How long the next wait may be before this transfer is silent for too long; `nil` for ever.
  var remainingIdleTime: Duration? { idleLimit.map { idleTime.remaining(of: $0) } }

  /// Notes a wait; the error ends a transfer that was silent for too long.
  func note(wait: Duration) -> TransportError? {
    guard let limit = idleLimit, let easy else { return nil }
    idleTime.add(wait, carried: easy.carriedBytes)
    guard idleTime.remaining(of: limit) == .zero else { return nil }
    return TransportError(
      .timeout, "\(request.url.place) sent and took nothing within \(limit)",
      host: request.url.host)
  }

  /// A request with a bound of its own needs no other one; until there is a connection,
  /// the bound of connecting holds.
  private var idleLimit: Duration? {
    guard request.timeout == nil, let easy, easy.count(CURLINFO_PRETRANSFER_TIME_T) > 0
    else { return nil }
    return configuration.idleTimeout
  }
}

extension EasyHandle {
  /// The bytes of bodies, in both directions, and of the heads.
  fileprivate var carriedBytes: Int64 {
    count(CURLINFO_SIZE_DOWNLOAD_T) + count(CURLINFO_SIZE_UPLOAD_T)
      + Int64(number(CURLINFO_HEADER_SIZE) + number(CURLINFO_REQUEST_SIZE))
  }
}
