import CCurl
import HTTP
import POSIX
import Synchronization

/// One thread that drives all transfers of a transport.
///
/// libcurl is called on that thread only; the others leave commands and wake it.
final class TransferLoop: Sendable {
  private struct Commands {
    var added: [Transfer] = []
    var cancelled: [Transfer] = []
    var paused: [(transfer: Transfer, isPaused: Bool)] = []
    var stops = false
    var isWoken = false
  }

  private let commands = Mutex(Commands())
  private let multi: any TransferDriver
  private let thread = Mutex<WorkerThread?>(nil)

  /// Makes the loop and starts its thread.
  static func started() throws(TransportError) -> TransferLoop {
    try CurlLibrary.load()
    guard let multi = MultiHandle() else {
      throw TransportError(.unavailable, "libcurl has no memory left")
    }
    return try started(driving: multi)
  }

  /// Makes a loop over that driver and starts its thread.
  static func started(driving multi: any TransferDriver) throws(TransportError) -> TransferLoop {
    let loop = TransferLoop(multi: multi)
    do throws(SystemError) {
      let thread = try WorkerThread { loop.run() }
      loop.thread.withLock { $0 = thread }
    } catch {
      throw TransportError(.unavailable, "could not start a thread: \(error.message)")
    }
    return loop
  }

  private init(multi: any TransferDriver) { self.multi = multi }

  /// Starts a transfer, now or in its turn; its continuation is always resumed.
  func add(_ transfer: Transfer) {
    transfer.request.turn?.noteWait()
    let (isAccepted, wakes) = commands.withLock { commands in
      guard !commands.stops else { return (false, false) }
      commands.added.append(transfer)
      // The thread takes all commands before it waits, so it is woken once. It takes them after each
      // end of a transfer as well: one that cannot start before that does not wake it.
      let wakes = !commands.isWoken && transfer.request.turn?.limit.isReached != true
      commands.isWoken = commands.isWoken || wakes
      return (true, wakes)
    }
    guard isAccepted else { return transfer.finish(.failure(.shutDown)) }
    if wakes { multi.wakeup() }
  }

  /// Ends a transfer that has not ended yet.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .relaxed)
    commands.withLock { $0.cancelled.append(transfer) }
    multi.wakeup()
  }

  /// Suspends a transfer, or resumes it.
  func pause(_ transfer: Transfer, _ isPaused: Bool) {
    commands.withLock { $0.paused.append((transfer, isPaused)) }
    multi.wakeup()
  }

  /// Ends all transfers and the thread, and waits for that by default.
  func stop(waits: Bool) {
    commands.withLock { $0.stops = true }
    multi.wakeup()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if waits { thread?.join() }
  }

  /// The body of the thread.
  private func run() {
    var active = ActiveTransfers()
    let isSound = drive(&active)
    close(&active, isSound ? .shutDown : .broken)
  }

  /// Drives transfers until the loop is stopped; `false` if the driver could not continue.
  private func drive(_ active: inout ActiveTransfers) -> Bool {
    var watch = IdleWatch()
    while true {
      let commands = takeCommands()
      for transfer in commands.added {
        watch.add(transfer.possibleIdleLimit)
        if active.admit(transfer) { begin(transfer, in: &active) }
      }
      for transfer in commands.cancelled { cancel(transfer, in: &active) }
      for (transfer, isPaused) in commands.paused { transfer.pause(isPaused) }
      if commands.stops { return true }
      guard multi.perform() else { return false }
      while let (easy, code) = multi.finished() {
        guard let transfer = active.remove(easy) else { continue }
        let handle = transfer.easy
        if let handle { multi.remove(handle) }
        if transfer.startsAgain(after: code) {
          begin(transfer, in: &active)
          continue
        }
        transfer.finish(after: code)
        if code == CURLE_OK, let handle { active.handles.keep(handle, of: transfer) }
        beginNext(after: transfer, in: &active)
      }
      if active.takeFreedTurn() { continue }
      if active.isEmpty { watch = IdleWatch() }
      guard wait(for: &active, &watch) else { return false }
    }
  }

  /// Waits for the network, and ends transfers that were idle for too long.
  private func wait(for active: inout ActiveTransfers, _ watch: inout IdleWatch) -> Bool {
    let start = ContinuousClock.now
    let awaited = active.awaitedDescriptors
    guard let ready = multi.poll(atMost: watch.longestWait, also: awaited) else { return false }
    if !ready.isEmpty { active.resumeBodies(of: ready) }
    guard let wait = watch.add(wait: start.duration(to: .now)) else { return true }
    for transfer in active.all {
      if let error = transfer.note(wait: wait) { end(transfer, error, in: &active) }
    }
    return true
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
