import POSIX

/// One connection of a browser, or of whoever found the port.
final class LoopbackConnection {
  enum Stage {
    case reading
    /// A request that came before somebody waited for it.
    case parked
    /// Asked for the outcome before there was one.
    case held
    case writing
    /// All is said; what still comes is thrown away, so that the answer is not lost to a reset.
    case draining
  }

  private(set) var stage = Stage.reading
  private(set) var received: [UInt8] = []
  /// When patience with this stage ends; nil is never.
  private(set) var deadline: Duration?
  /// Carries the final word.
  private(set) var isLast = false
  private(set) var isClosed = false
  private let socket: FileDescriptor
  private var unsent: ArraySlice<UInt8> = []

  init(_ socket: consuming FileDescriptor, at now: Duration) {
    self.socket = socket
    deadline = now + .seconds(10)
  }

  var entry: Poll.Entry {
    switch stage {
    case .writing: Poll.Entry(socket.number, .write)
    case .reading, .draining: Poll.Entry(socket.number, .read)
    // What these send now is not looked at; only that they leave.
    case .parked, .held: Poll.Entry(socket.number, [])
    }
  }

  /// May be dropped for another one.
  var isIdle: Bool {
    switch stage {
    case .reading: received.isEmpty
    case .draining: true
    case .parked, .held, .writing: false
    }
  }

  /// Takes what has arrived; whether there is something new to look at.
  func receive() -> Bool {
    switch socket.receive(upTo: 32_768) {
    case .nothingYet: return false
    case .end:
      isClosed = true
      return false
    case .bytes(let bytes):
      guard case .reading = stage else { return false }
      received += bytes
      return true
    }
  }

  func park() { (stage, deadline) = (.parked, nil) }

  func unpark(at now: Duration) { (stage, deadline) = (.reading, now + .seconds(10)) }

  func hold(until deadline: Duration) { (stage, self.deadline) = (.held, deadline) }

  func answer(_ bytes: [UInt8], at now: Duration, isLast: Bool = false) {
    unsent = bytes[...]
    received = []
    self.isLast = isLast
    (stage, deadline) = (.writing, now + .seconds(10))
    send(at: now)
  }

  func send(at now: Duration) {
    guard case .writing = stage else { return }
    guard let sent = socket.send(unsent) else {
      isClosed = true
      return
    }
    unsent = unsent.dropFirst(sent)
    if unsent.isEmpty {
      socket.finishSending()
      (stage, deadline) = (.draining, now + .seconds(2))
    }
  }

  func close() { isClosed = true }

  /// The answer is with the system.
  var isAnswered: Bool {
    if case .draining = stage { return true }
    return false
  }
}
