package import HTTP
import POSIX
import Synchronization

extension ServerExchange {
  /// The body of a request as it arrives.
  ///
  /// Its beginning is kept, so that a short body is whole before it is sent, and a long one can be sent
  /// again as long as nothing more was read of it.
  struct Input {
    private var beginning: [UInt8] = []
    private var rest = ByteQueue()
    private var position = 0
    /// Whether the body must remain repeatable: see ``HTTPBodySource/mayRewind``.
    private var isPromised = false
    /// Becomes readable when there is something to read; `nil` for a short body.
    private var wake: WakePipe?
    var isComplete = false
    /// Whether nobody reads the rest.
    var isDropped = false

    /// Whether the body is longer than what is kept.
    var isStreamed: Bool { wake != nil }
    var isFull: Bool { rest.count >= ServerExchange.limit }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
      if wake == nil {
        beginning.append(contentsOf: bytes)
        // Without a pipe it goes on in memory; that there is no descriptor left ends other things first.
        if beginning.count > ServerExchange.limit { wake = try? WakePipe() }
      } else {
        rest.append(Array(bytes))
        signal()
      }
    }

    func signal() { wake?.signal() }

    /// The body for the request that is sent; of a long one, the exchange is the source.
    func body(_ source: ServerExchange, length: Int64?) -> HTTPBody {
      if isStreamed { return .stream(source, length: length) }
      return beginning.isEmpty ? .none : .bytes(beginning)
    }

    private var isReadable: Bool {
      position < beginning.count || !rest.isEmpty || isComplete || isDropped
    }

    /// Fills a buffer; 0 at the end, `nil` if the rest cannot be read.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      if position < beginning.count {
        let count = min(buffer.count, beginning.count - position)
        beginning.withUnsafeBytes {
          buffer.copyMemory(from: .init(rebasing: $0[position..<position + count]))
        }
        position += count
        return count
      }
      if isPromised || isDropped { return nil }
      let count = buffer.fill(with: rest.take(buffer.count))
      position += count
      return count > 0 || isComplete ? count : nil
    }

    mutating func rewind() -> Bool {
      guard position <= beginning.count else { return false }
      (position, isPromised) = (0, false)
      return true
    }

    /// Whether it can be rewound, which then remains so.
    mutating func promiseRewind() -> Bool {
      isPromised = position <= beginning.count
      return isPromised
    }

    /// The descriptor to wait for; `nil` if something can be read now.
    func awaitedDescriptor(hasFailed: Bool) -> Int32? {
      if isReadable || hasFailed || isPromised { return nil }
      wake?.drain()
      return wake?.descriptor
    }
  }
}

extension ServerExchange: HTTPBodySource {
  /// The body of the request: a stream if it is long.
  package var body: HTTPBody {
    let length = request.fields["Content-Length"].flatMap { Int64($0) }
    return state.withLock { $0.input.body(self, length: length) }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    state.withLock { state in
      if state.hasFailed { return nil }
      let count = state.input.read(into: buffer)
      if !state.input.isFull { state.resumeInput() }
      return count
    }
  }

  package func rewind() -> Bool { state.withLock { $0.input.rewind() } }

  package var mayRewind: Bool { state.withLock { $0.input.promiseRewind() } }

  package var awaitedDescriptor: Int32? {
    state.withLock { $0.input.awaitedDescriptor(hasFailed: $0.hasFailed) }
  }
}

extension ServerExchange.State {
  /// Goes on to receive the body; a connection that waits for the response stays suspended.
  fileprivate mutating func resumeInput() {
    if !input.isComplete { resume() }
  }
}
