import Glibc

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
    if end.value != nil { return }
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
