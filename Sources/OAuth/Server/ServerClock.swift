package import HTTP
import JSON
package import Primitives
import Synchronization

/// Compares this machine's clock with the `Date` of a server's responses (RFC 9110 section 6.6.1).
///
/// Nothing is decided by it: it explains why tokens are refused, once.
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
  ///   - tell: told once by how many seconds it is behind; less than none when it is ahead.
  package init(
    now: @escaping @Sendable () -> Timestamp, tell: (@Sendable (Int64) -> Void)? = nil
  ) {
    self.now = now
    self.tell = tell
  }

  /// By how many seconds this machine is behind; `nil` while the clocks agree.
  package var behind: Int64? { state.withLock { $0.behind } }

  /// Takes the time of a response; a difference is reported if the server refused something.
  package func see(_ response: HTTPResponse) {
    guard let date = response.fields["Date"].flatMap(Timestamp.init(httpDate:)) else { return }
    let difference = date.seconds(since: now())
    state.withLock {
      $0.behind = difference.magnitude > Self.tolerance.magnitude ? difference : nil
    }
    if Self.refusals.contains(response.status) { tellOnce() }
  }

  /// Tells of clocks that differ, now that it matters.
  package func tellOnce() {
    let news = state.withLock { state -> Int64? in
      guard !state.isTold, let behind = state.behind else { return nil }
      state.isTold = true
      return behind
    }
    if let news { tell?(news) }
  }

  /// How a server refuses what it takes for expired, or for not yet valid.
  private static let refusals: Set<Int> = [400, 401, 403]

  /// What checks of tokens let pass.
  private static let tolerance: Int64 = 60
}

extension Timestamp {
  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7), the one form that is sent.
  package init?(httpDate text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", words[1].utf8.count == 2,
      words[3].utf8.count == 4, words[4].utf8.count == 8,
      let month = Self.months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
