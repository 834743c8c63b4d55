import Glibc
import Synchronization

/// A buffered writer that reports a closed pipe and a full disk.
///
/// Safe from any task. The first failure stays: what is written after it is dropped, and every
/// `flush` reports it.
package final class Output: Sendable {
  package static let standard = Output(descriptor: 1)
  /// Standard error: each write is done at once.
  package static let errors = Output(descriptor: 2, capacity: 0)

  package let descriptor: Int32
  private let capacity: Int
  /// The writer whose open line is ended before each write.
  private let companion: Output?
  private let state = Mutex(State())

  private struct State {
    var pending: [UInt8] = []
    var lastByte = UInt8(ascii: "\n")
    var failure: SystemError?
  }

  /// A writer on a descriptor that it does not own.
  package convenience init(descriptor: Int32, capacity: Int = 16_384) {
    self.init(descriptor, capacity, companion: nil)
  }

  private init(_ descriptor: Int32, _ capacity: Int, companion: Output?) {
    (self.descriptor, self.capacity, self.companion) = (descriptor, capacity, companion)
  }

  /// The same, for notes at the terminal on which the other writes: they begin on a line of their own.
  package func ending(linesOf other: Output) -> Output {
    Output(descriptor, capacity, companion: other)
  }

  /// Whether what was written last has no line end.
  package var isLineOpen: Bool {
    state.withLock { ($0.pending.last ?? $0.lastByte) != UInt8(ascii: "\n") }
  }

  /// Whether it is a regular file that group or others may read.
  package var isFileOfOthers: Bool {
    guard let status = try? FileStatus.of(descriptor: descriptor) else { return false }
    return status.kind == .file && !status.isPrivate
  }

  package var failure: SystemError? { state.withLock { $0.failure } }

  package func write(_ text: String) { write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) {
    if let companion, companion.isLineOpen {
      companion.write("\n")
      try? companion.flush()
    }
    state.withLock { state in
      state.pending += bytes
      if state.pending.count > capacity { drain(&state) }
    }
  }

  /// Writes bytes of a stream at once, after what was written before; throws a failure at once.
  ///
  /// The reader of an event stream waits for each event.
  package func writeRaw(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try finish(
      state.withLock { state in
        drain(&state)
        if state.failure == nil {
          state.lastByte = bytes.last ?? state.lastByte
          note(&state) { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
        }
        return state.failure
      })
  }

  package func flush() throws(SystemError) {
    try finish(
      state.withLock { state in
        drain(&state)
        return state.failure
      })
  }

  private func drain(_ state: inout State) {
    let bytes = state.pending
    state.pending.removeAll(keepingCapacity: true)
    guard state.failure == nil, let last = bytes.last else { return }
    state.lastByte = last
    note(&state) { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
  }

  private func note(_ state: inout State, _ body: () throws(SystemError) -> Void) {
    do throws(SystemError) { try body() } catch { state.failure = error }
  }

  private func finish(_ failure: SystemError?) throws(SystemError) {
    if let failure { throw failure }
  }
}
