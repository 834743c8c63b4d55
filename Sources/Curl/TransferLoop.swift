import CCurl
import HTTP
import POSIX
import Synchronization

/// Drives all transfers of a transport, on one thread: that of a batch, or one of its own.
///
/// libcurl is called on that thread only; the others leave commands and wake it.
final class TransferLoop: Sendable {
  private struct Commands {
    var added: [Transfer] = []
    var cancelled: [Transfer] = []
    var paused: [(transfer: Transfer, isPaused: Bool)] = []
    var stops = false
    /// Whether the thread takes the commands before it waits.
    var isAwake = true

    var isEmpty: Bool { added.isEmpty && cancelled.isEmpty && paused.isEmpty && !stops }
  }

  /// What only the thread uses that drives the loop.
  // Sendable: it is handed from one thread to the next, which begins when the other has ended.
  private final class Driven: @unchecked Sendable {
    var active = ActiveTransfers()
    var watch = IdleWatch()
    let exclusiveConnections = ExclusiveConnections()
    /// Whether the driver could not wait.
    var isBroken = false
  }

  private let commands = Mutex(Commands())
  private let multi: any TransferDriver
  private let driven = Driven()
  private let thread = Mutex<WorkerThread?>(nil)

  /// Makes the loop: on the thread of tasks that this is called on, else on a thread of its own.
  ///
  /// Without a second thread a short transfer takes less time: nothing is handed from one processor
  /// to another.
  static func started() throws(TransportError) -> TransferLoop {
    try CurlLibrary.load()
    guard let multi = MultiHandle() else {
      throw TransportError(.unavailable, "libcurl has no memory left")
    }
    let loop = TransferLoop(multi: multi)
    if TaskThread.current?.accompany(loop) != true { try loop.startThread() }
    return loop
  }

  /// Makes a loop over that driver and starts its thread.
  static func started(driving multi: any TransferDriver) throws(TransportError) -> TransferLoop {
    let loop = TransferLoop(multi: multi)
    try loop.startThread()
    return loop
  }

  private init(multi: any TransferDriver) { self.multi = multi }

  private func startThread() throws(TransportError) {
    do throws(SystemError) {
      let thread = try WorkerThread { self.run() }
      self.thread.withLock { $0 = thread }
    } catch {
      throw TransportError(.unavailable, "could not start a thread: \(error.message)")
    }
  }

  /// Starts a transfer, now or in its turn; its continuation is always resumed.
  func add(_ transfer: Transfer) {
    transfer.request.turn?.noteWait()
    let isAccepted = command { commands in
      guard !commands.stops else { return (false, wakes: false) }
      commands.added.append(transfer)
      // The thread takes commands after each end of a transfer: one that cannot start before that
      // does not wake it.
      return (true, wakes: transfer.request.turn?.limit.isFull != true)
    }
    if !isAccepted { transfer.finish(.failure(.shutDown)) }
  }

  /// Ends a transfer that has not ended yet.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .relaxed)
    command { ($0.cancelled.append(transfer), wakes: true) }
  }

  /// Suspends a transfer, or resumes it.
  func pause(_ transfer: Transfer, _ isPaused: Bool) {
    command { ($0.paused.append((transfer, isPaused)), wakes: true) }
  }

  /// Ends all transfers and the thread, and waits for that by default.
  ///
  /// The thread of a batch ends them before it ends, or waits again; that is not waited for.
  func stop(waits: Bool) {
    command { commands in
      commands.stops = true
      return ((), wakes: true)
    }
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if waits { thread?.join() }
  }

  /// Leaves a command, and wakes the thread if it has to.
  @discardableResult
  private func command<Result: Sendable>(
    _ change: (inout Commands) -> (Result, wakes: Bool)
  ) -> Result {
    let (result, wakes) = commands.withLock { commands in
      let (result, isUrgent) = change(&commands)
      let wakes = isUrgent && !commands.isAwake
      if wakes { commands.isAwake = true }
      return (result, wakes)
    }
    if wakes { multi.wakeup() }
    return result
  }

  /// The body of a thread of its own.
  private func run() {
    while proceed() { wait(atMost: nil) }
  }

  private func takeCommands() -> Commands {
    commands.withLock { commands in
      defer { commands = Commands(stops: commands.stops) }
      return commands
    }
  }

  private func begin(_ transfer: Transfer, in active: inout ActiveTransfers) {
    var next: Transfer? = transfer
    while let transfer = next {
      next = start(transfer, in: &active) ? nil : active.next(after: transfer)
    }
  }

  /// Starts the transfers that waited for that one to end.
  private func beginNext(after transfer: Transfer, in active: inout ActiveTransfers) {
    if let next = active.next(after: transfer) { begin(next, in: &active) }
  }

  /// Returns whether the transfer runs; if not, it has ended.
  private func start(_ transfer: Transfer, in active: inout ActiveTransfers) -> Bool {
    let isClosed = transfer.request.turn?.limit.isClosed ?? false
    guard !isClosed, !transfer.isCancelled.load(ordering: .relaxed) else {
      transfer.finish(.failure(.cancelled))
      return false
    }
    transfer.request.turn?.noteStart()
    transfer.exclusiveConnections = driven.exclusiveConnections
    switch transfer.prepare(with: &active.handles) {
    case .success(let easy):
      if multi.add(easy) {
        active.add(transfer, by: easy)
        return true
      }
      transfer.finish(.failure(.broken))
    case .failure(let error): transfer.finish(.failure(error))
    }
    return false
  }

  private func cancel(_ transfer: Transfer, in active: inout ActiveTransfers) {
    // One that waits keeps its turn, in which it does nothing.
    if transfer.isWaiting { return transfer.finish(.failure(.cancelled)) }
    end(transfer, .cancelled, in: &active)
  }

  private func end(
    _ transfer: Transfer, _ error: TransportError, in active: inout ActiveTransfers
  ) {
    guard let easy = transfer.easy, active.remove(easy.raw) != nil else { return }
    multi.remove(easy)
    transfer.finish(.failure(error))
    beginNext(after: transfer, in: &active)
  }

  /// Ends all remaining transfers, also those added meanwhile.
  private func close(_ active: inout ActiveTransfers, _ error: TransportError) {
    let rest = commands.withLock { commands in
      defer { commands = Commands(stops: true) }
      return commands.added
    }
    for transfer in rest + active.removeWaiting() { transfer.finish(.failure(error)) }
    for transfer in active.all { end(transfer, error, in: &active) }
  }
}

// Called on the thread that drives the loop.
extension TransferLoop: TaskThreadCompanion {
  /// Takes the commands and drives the transfers, without waiting; `false` once the loop has ended.
  func proceed() -> Bool {
    repeat {
      let commands = takeCommands()
      for transfer in commands.added {
        driven.watch.add(transfer.possibleIdleLimit)
        if driven.active.admit(transfer) { begin(transfer, in: &driven.active) }
      }
      for transfer in commands.cancelled { cancel(transfer, in: &driven.active) }
      for (transfer, isPaused) in commands.paused { transfer.pause(isPaused) }
      if commands.stops { return ends(.shutDown) }
      guard !driven.isBroken, multi.perform() else { return ends(.broken) }
      while let (easy, code) = multi.finished() {
        guard let transfer = driven.active.remove(easy) else { continue }
        let handle = transfer.easy
        if let handle { multi.remove(handle) }
        if transfer.startsAgain(after: code) {
          begin(transfer, in: &driven.active)
          continue
        }
        transfer.finish(after: code)
        if code == CURLE_OK, let handle { driven.active.handles.keep(handle, of: transfer) }
        beginNext(after: transfer, in: &driven.active)
      }
    } while driven.active.takeFreedTurn()
    return true
  }

  /// Waits for the network and for commands, and ends transfers that were idle for too long.
  ///
  /// Does not wait as long as more transfers may start: one starts when nothing else is to be done.
  func wait(atMost time: Duration?) {
    let isAsleep = commands.withLock { commands in
      commands.isAwake = !commands.isEmpty
      return !commands.isAwake
    }
    guard isAsleep else { return }
    if driven.active.isEmpty { driven.watch = IdleWatch() }
    let start = ContinuousClock.now
    let longest = driven.watch.longestWait
    let mayStartMore = driven.active.waitsForRaise
    let ready = multi.poll(
      atMost: mayStartMore ? .zero : min(time ?? longest, longest),
      also: driven.active.awaitedDescriptors)
    commands.withLock { $0.isAwake = true }
    guard let ready else {
      driven.isBroken = true
      return
    }
    if !ready.descriptors.isEmpty { driven.active.resumeBodies(of: ready.descriptors) }
    if mayStartMore, ready.count == 0, let next = driven.active.raiseLimit() {
      begin(next, in: &driven.active)
    }
    guard let wait = driven.watch.add(wait: start.duration(to: .now)) else { return }
    for transfer in driven.active.all {
      if let error = transfer.note(wait: wait) { end(transfer, error, in: &driven.active) }
    }
  }

  func wakeUp() { multi.wakeup() }

  /// The thread of a batch has ended: other tasks may go on.
  func leave() {
    do {
      try startThread()
    } catch {
      close(&driven.active, error)
    }
  }

  private func ends(_ error: TransportError) -> Bool {
    close(&driven.active, error)
    return false
  }
}
