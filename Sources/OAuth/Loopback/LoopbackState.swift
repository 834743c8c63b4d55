import POSIX
import Synchronization

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
