import CPOSIX
import Glibc
import Synchronization

package enum SpawnError: Error, Sendable, Hashable {
  case system(SystemError)
  case outputTooLarge(limit: Int)
  case timedOut
  case cancelled
}

extension SpawnError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .outputTooLarge(let limit): "it printed more than \(limit) bytes"
    case .timedOut: "it did not end in time"
    case .cancelled: "it was cancelled"
    }
  }
}

package struct ProcessOutput: Sendable, Hashable {
  package let status: ExitStatus
  package let output: [UInt8]
  /// What it wrote to standard error, up to the limit.
  package let errors: [UInt8]
}

extension Spawn {
  /// Runs a program to its end and collects what it writes.
  ///
  /// It keeps our terminal, so that it can ask the user. More than `limit` bytes, the timeout and a
  /// cancelled task end it: SIGTERM, two seconds later SIGKILL. With `sharesErrors`, its standard
  /// error is ours, and not collected.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: Environment = .current,
    input: [UInt8] = [], sharesErrors: Bool = false, limit: Int = 1 << 20, timeout: Duration? = nil
  ) async throws(SpawnError) -> ProcessOutput {
    // The program may close its input, which must not end ours.
    try await BackgroundThread.run(wrapping: SpawnError.system, takesSignals: false) {
      (cancel) throws(SpawnError) in
      var process = try PipedProcess(
        program, arguments, environment: environment, input: input,
        sharesErrors: sharesErrors, limit: limit, cancel: cancel)
      return try process.finish(timeout: timeout)
    }
  }
}

package enum ExitStatus: Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)

  /// From the result of `cposix_wait`.
  init(_ result: Int32) {
    self = result >= 256 ? .signalled(result - 256) : .exited(result)
  }

  package var isSuccess: Bool { self == .exited(0) }
}

extension ExitStatus: CustomStringConvertible {
  /// The end of a sentence about a program.
  package var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signalled(let number): "was ended by signal \(number)"
    }
  }
}

/// The pipes to one running program, served until it has ended.
struct PipedProcess {
  private let child: SpawnedProcess
  private let end = OneShot<ExitStatus>()
  /// Becomes readable at the end of the program.
  private let wake: WakePipe
  /// Becomes readable if the program is to be ended.
  private let cancel: WakePipe
  private let limit: Int
  private var input: PipeEnd?
  private var output: PipeEnd?
  private var errors: PipeEnd?
  private var unsent: ArraySlice<UInt8>
  private var collected: [UInt8] = []
  private var errorOutput: [UInt8] = []

  init(
    _ program: String, _ arguments: [String], environment: Environment, input: [UInt8],
    sharesErrors: Bool, limit: Int, cancel: WakePipe
  ) throws(SpawnError) {
    do throws(SystemError) {
      wake = try WakePipe()
      let (childInput, ownInput) = try PipeEnd.pair()
      let (ownOutput, childOutput) = try PipeEnd.pair()
      let (ownErrors, childErrors) = try PipeEnd.pair()
      try ownInput.makeNonBlocking()
      child = SpawnedProcess(
        try Spawn.start(
          program, arguments, environment: environment,
          streams: [childInput.number, childOutput.number, sharesErrors ? 2 : childErrors.number],
          newSession: false))
      (self.input, output, errors) = (ownInput, ownOutput, sharesErrors ? nil : ownErrors)
    } catch {
      throw .system(error)
    }
    self.limit = limit
    self.cancel = cancel
    unsent = input[...]
    let (child, end, wake) = (child, end, wake)
    do throws(SystemError) {
      try BackgroundThread.start {
        end.set(ExitStatus(child.wait()))
        wake.signal()
      }
    } catch {
      // Nothing would wait for its end.
      child.signal(SIGKILL)
      _ = child.wait()
      throw .system(error)
    }
  }

  /// Serves the pipes until the program has ended and all it wrote is read.
  mutating func finish(timeout: Duration?) throws(SpawnError) -> ProcessOutput {
    do throws(SpawnError) {
      let status = try serve(timeout: timeout)
      return ProcessOutput(status: status, output: collected, errors: errorOutput)
    } catch {
      stop()
      throw error
    }
  }

  private mutating func serve(timeout: Duration?) throws(SpawnError) -> ExitStatus {
    let deadline = timeout.map { SystemClock.monotonic() + $0 }
    while true {
      let left = deadline.map { $0 - SystemClock.monotonic() }
      if let left, left <= .zero { throw .timedOut }
      // A grandchild may keep the pipes open forever, so reading stops at the end of the child.
      let ended = end.value
      let ready = try step(timeout: ended == nil ? left : .zero)
      if let ended, !ready || (output == nil && errors == nil) { return ended }
    }
  }

  /// Waits, reads and writes once; returns whether there was anything to read.
  private mutating func step(timeout: Duration?) throws(SpawnError) -> Bool {
    if unsent.isEmpty { input = nil }
    var entries = [
      Poll.Entry(wake.descriptor, .read), Poll.Entry(output?.number ?? -1, .read),
      Poll.Entry(errors?.number ?? -1, .read), Poll.Entry(input?.number ?? -1, .write),
      Poll.Entry(cancel.descriptor, .read),
    ]
    do throws(SystemError) {
      try Poll.wait(&entries, timeout: timeout)
      if !entries[0].ready.isEmpty { wake.drain() }
      if !entries[3].ready.isEmpty { send() }
      if !entries[1].ready.isEmpty, let part = try output?.read() {
        collected += part
        if part.isEmpty { output = nil }
      }
      if !entries[2].ready.isEmpty, let part = try errors?.read() {
        errorOutput += part.prefix(limit - errorOutput.count)
        if part.isEmpty { errors = nil }
      }
    } catch {
      throw .system(error)
    }
    if !entries[4].ready.isEmpty { throw .cancelled }
    if collected.count > limit { throw .outputTooLarge(limit: limit) }
    return !entries[1].ready.isEmpty || !entries[2].ready.isEmpty
  }

  /// A program may close its input before it has read all.
  private mutating func send() {
    guard let input else { return }
    if let sent = input.write(unsent) { unsent = unsent.dropFirst(sent) } else { unsent = [] }
  }

  private mutating func stop() {
    (input, output, errors) = (nil, nil, nil)
    child.signal(SIGTERM)
    var entries = [Poll.Entry(wake.descriptor, .read)]
    let deadline = SystemClock.monotonic() + .seconds(2)
    while end.value == nil {
      let left = deadline - SystemClock.monotonic()
      if left <= .zero {
        child.signal(SIGKILL)
        return
      }
      _ = try? Poll.wait(&entries, timeout: left)
      wake.drain()
    }
  }
}

/// One end of a pipe to a program, closed with its last reference.
final class PipeEnd: Sendable {
  private let descriptor: FileDescriptor

  private init(_ number: Int32) { descriptor = FileDescriptor(owning: number) }

  static func pair() throws(SystemError) -> (reader: PipeEnd, writer: PipeEnd) {
    let ends = try FileDescriptor.pipe()
    return (PipeEnd(ends.reader), PipeEnd(ends.writer))
  }

  var number: Int32 { descriptor.number }

  func makeNonBlocking() throws(SystemError) {
    try checked("fcntl") { fcntl(number, F_SETFL, O_NONBLOCK) }
  }

  func read() throws(SystemError) -> [UInt8] { try descriptor.read(upTo: 65_536) }

  /// How many bytes were written; `nil` if the pipe is closed.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let sent = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
    if sent >= 0 { return sent }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}

/// A program that was started and is not reaped yet.
///
/// Its number is that of another program as soon as it is reaped; so what sends a signal and what reaps
/// exclude each other.
final class SpawnedProcess: Sendable {
  private let number: Int32
  private let isReaped = Mutex(false)

  init(_ number: Int32) { self.number = number }

  /// Waits for its end, and returns the status of `waitpid`.
  func wait() -> Int32 {
    var information = siginfo_t()
    // Until then it cannot be reaped, and the lock is not held while nothing happens.
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return isReaped.withLock { isReaped in
      isReaped = true
      return cposix_wait(number)
    }
  }

  /// Sends a signal, unless the program is reaped; returns whether it was sent.
  @discardableResult
  func signal(_ signal: Int32) -> Bool {
    isReaped.withLock { isReaped in !isReaped && kill(number, signal) == 0 }
  }
}
