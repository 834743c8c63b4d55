import POSIX
import Synchronization

/// Which request is waited for.
struct LoopbackExpectation {
  let allowsPost: Bool
  let accept: @Sendable (String) -> Bool
}

/// An address that leads to another one, once.
struct LoopbackLaunch {
  let path: String
  let target: String
  var isUsed = false
}

/// What the listener and the thread that serves it tell each other.
final class LoopbackState: Sendable {
  struct Values {
    /// Where the browser that is started here is sent on from, and whether it was.
    var launch: LoopbackLaunch?
    /// There once somebody waits; until then requests that may decide are kept.
    var expectation: LoopbackExpectation?
    var outcome: LoopbackPage?
    var isClosed = false
  }

  /// Opened with the request that decided.
  let accepted = OneShot<LoopbackRequest>()
  /// Opened when the browser has the final word, or does not want it.
  let delivered = OneShot<Void>()
  /// Opened when all is closed.
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
