import POSIX

/// One connection to the listener, from a browser or another program.
final class LoopbackConnection {
  enum Stage {
    case reading
    /// The request arrived before the login waits for it.
    case parked
    /// The browser asked for the outcome before the login ended.
    case held
    case writing
    /// The response is sent; further input is discarded, so that no reset loses the response.
    case draining
  }

  private(set) var stage = Stage.reading
  private(set) var received: [UInt8] = []
  /// The deadline of this stage; `nil` for no deadline.
  private(set) var deadline: Duration?
  /// Whether its response is the outcome of the login.
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
    // Only the end of these connections is watched, not their input.
    case .parked, .held: Poll.Entry(socket.number, [])
    }
  }

  /// Whether it may be dropped for another connection.
  var isIdle: Bool {
    switch stage {
    case .reading: received.isEmpty
    case .draining: true
    case .parked, .held, .writing: false
    }
  }

  /// Reads what has arrived; returns whether there is new input.
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

  func respond(_ bytes: [UInt8], at now: Duration, isLast: Bool = false) {
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

  /// Whether the response was given to the system.
  var isSent: Bool {
    if case .draining = stage { return true }
    return false
  }
}
