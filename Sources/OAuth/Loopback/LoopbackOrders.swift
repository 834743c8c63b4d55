import POSIX
import Synchronization

/// Which request is waited for.
struct LoopbackWish {
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
final class LoopbackOrders: Sendable {
  struct Values {
    /// Where the browser that is started here is sent on from, and whether it was.
    var launch: LoopbackLaunch?
    /// There once somebody waits; until then requests that may decide are kept.
    var wish: LoopbackWish?
    var outcome: LoopbackPage?
    var isClosed = false
  }

  /// Opened with the request that decided.
  let accepted = Latch<LoopbackRequest>()
  /// Opened when the browser has the final word, or does not want it.
  let delivered = Latch<Void>()
  /// Opened when all is closed.
  let ended = Latch<Void>()
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
