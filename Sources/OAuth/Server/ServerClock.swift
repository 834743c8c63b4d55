package import HTTP
import JSON
package import Primitives
import Synchronization

/// Compares this machine's clock with the `Date` of a server's responses (RFC 9110 section 6.6.1).
///
/// It decides nothing: it only explains, once, why tokens are refused.
package final class ServerClock: Sendable {
  private struct State {
    var behind: Int64?
    var isTold = false
  }

  private let now: @Sendable () -> Timestamp
  private let tell: (@Sendable (Int64) -> Void)?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - now: this machine's clock.
  ///   - tell: called once with the seconds that it is behind; negative if it is ahead.
  package init(
    now: @escaping @Sendable () -> Timestamp, tell: (@Sendable (Int64) -> Void)? = nil
  ) {
    self.now = now
    self.tell = tell
  }

  /// By how many seconds this machine is behind, negative if it is ahead; `nil` while the clocks agree.
  package var behind: Int64? { state.withLock { $0.behind } }

  /// Reads the time of a response; a difference is reported if the server refused something.
  package func see(_ response: HTTPResponse) {
    guard let date = response.fields["Date"].flatMap(HTTPDate.read) else { return }
    let difference = date.seconds(since: now())
    state.withLock {
      $0.behind = difference.magnitude > Self.tolerance.magnitude ? difference : nil
    }
    if Self.refusals.contains(response.status) { tellOnce() }
  }

  /// Reports a difference of the clocks, if that was not done yet.
  package func tellOnce() {
    let news = state.withLock { state -> Int64? in
      guard !state.isTold, let behind = state.behind else { return nil }
      state.isTold = true
      return behind
    }
    if let news { tell?(news) }
  }

  /// The errors of a server for what seems to be expired or not yet valid.
  private static let refusals: Set<Int> = [400, 401, 403]

  /// The difference in seconds that checks of tokens accept.
  private static let tolerance: Int64 = 60
}
