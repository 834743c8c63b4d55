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
    /// The transfers that run, by their handles.
    var running: [UnsafeMutableRawPointer: Transfer] = [:]
    let usedConnections = UsedConnections()
    /// Whether the driver could not wait.
    var isBroken = false
  }

  private let commands = Mutex(Commands())
  private let multi: any TransferDriver
  private let driven = Driven()

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
      try BackgroundThread.start(takesSignals: false) {
        while self.proceed() { self.wait() }
      }
    } catch {
      throw TransportError(.unavailable, "could not start a thread: \(error.message)")
    }
  }

  /// Starts a transfer; its continuation is always resumed.
  func add(_ transfer: Transfer) {
    let isAccepted = command { commands in
      if !commands.stops { commands.added.append(transfer) }
      return !commands.stops
    }
    if !isAccepted { transfer.finish(.failure(.cancelled)) }
  }

  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .relaxed)
    command { $0.cancelled.append(transfer) }
  }

  /// Suspends a transfer, or resumes it.
  func pause(_ transfer: Transfer, _ isPaused: Bool) {
    command { $0.paused.append((transfer, isPaused)) }
  }

  /// Ends all transfers and the thread, soon.
  func stop() {
    command { $0.stops = true }
  }

  /// Leaves a command, and wakes the thread if it has to.
  @discardableResult
  private func command<Result: Sendable>(_ change: (inout Commands) -> Result) -> Result {
    let (result, wakes) = commands.withLock { commands in
      defer { commands.isAwake = true }
      return (change(&commands), wakes: !commands.isAwake)
    }
    if wakes { multi.wakeup() }
    return result
  }

  private func takeCommands() -> Commands {
    commands.withLock { commands in
      defer { commands = Commands(stops: commands.stops) }
      return commands
    }
  }

  private func begin(_ transfer: Transfer) {
    guard !transfer.isCancelled.load(ordering: .relaxed) else {
      return transfer.finish(.failure(.cancelled))
    }
    transfer.usedConnections = driven.usedConnections
    switch transfer.prepare() {
    case .success(let easy):
      guard multi.add(easy) else { return transfer.finish(.failure(.broken)) }
      driven.running[easy.raw] = transfer
      // One that starts again may be suspended.
      if transfer.isPaused { easy.pause(true) }
    case .failure(let error): transfer.finish(.failure(error))
    }
  }

  private func end(_ transfer: Transfer, _ error: TransportError) {
    guard let easy = transfer.easy else { return }
    driven.running[easy.raw] = nil
    multi.remove(easy)
    transfer.finish(.failure(error))
  }

  /// Ends all remaining transfers, also those added meanwhile.
  private func close(_ error: TransportError) {
    let rest = commands.withLock { commands in
      defer { commands = Commands(stops: true) }
      return commands.added
    }
    for transfer in rest { transfer.finish(.failure(error)) }
    for transfer in Array(driven.running.values) { end(transfer, error) }
  }
}

// Called on the thread that drives the loop.
extension TransferLoop: TaskThreadCompanion {
  /// Takes the commands and drives the transfers, without waiting; `false` once the loop has ended.
  func proceed() -> Bool {
    let commands = takeCommands()
    for transfer in commands.added { begin(transfer) }
    for transfer in commands.cancelled { end(transfer, .cancelled) }
    for (transfer, isPaused) in commands.paused { transfer.pause(isPaused) }
    if commands.stops { return ends(.cancelled) }
    guard !driven.isBroken, multi.perform() else { return ends(.broken) }
    while let (easy, code) = multi.finished() {
      guard let transfer = driven.running.removeValue(forKey: easy) else { continue }
      if let handle = transfer.easy { multi.remove(handle) }
      if transfer.startsAgain(after: code) {
        begin(transfer)
      } else {
        transfer.finish(after: code)
      }
    }
    return true
  }

  /// Waits for the network and for commands.
  func wait() {
    let isAsleep = commands.withLock { commands in
      commands.isAwake = !commands.isEmpty
      return !commands.isAwake
    }
    guard isAsleep else { return }
    let awaited = driven.running.values.compactMap { $0.isPaused ? nil : $0.awaitedDescriptor }
    let ready = multi.poll(also: awaited)
    commands.withLock { $0.isAwake = true }
    guard let ready else {
      driven.isBroken = true
      return
    }
    for transfer in driven.running.values {
      if let awaited = transfer.awaitedDescriptor, ready.contains(awaited) { transfer.resumeBody() }
    }
  }

  func wakeUp() { multi.wakeup() }

  /// The thread of a batch has ended: other tasks may go on.
  func leave() {
    do { try startThread() } catch { close(error) }
  }

  private func ends(_ error: TransportError) -> Bool {
    close(error)
    return false
  }
}

/// The loops of a transport: one for each client certificate, by its chain, and one without; each is started by its
/// first request.
///
/// libcurl uses a connection again for transfers of one loop only. So no request is sent on a connection that has
/// shown the certificate of another, or none. Of the loops with a certificate that nothing uses, those stay that
/// were used last: a program that runs for months sees many certificates.
final class TransferLoops: Sendable {
  private struct Entry {
    let loop: TransferLoop
    var users = 0
    var lastUse = 0
  }

  private struct State {
    var entries: [[UInt8]?: Entry] = [:]
    var uses = 0
  }

  private let state = Mutex(State())

  /// The chains of the certificates whose loops exist; `nil` is the loop without one.
  var chains: Set<[UInt8]?> { state.withLock { Set($0.entries.keys) } }

  /// Hands out the loop of a certificate, which stays until it is given back.
  func take(_ chain: [UInt8]?) throws(TransportError) -> TransferLoop {
    try state.withLock { (state) throws(TransportError) in
      var entry: Entry
      if let known = state.entries[chain] {
        entry = known
      } else {
        entry = Entry(loop: try TransferLoop.started())
      }
      state.uses += 1
      entry.users += 1
      entry.lastUse = state.uses
      state.entries[chain] = entry
      return entry.loop
    }
  }

  /// Takes a loop back, and ends those that are too many.
  func giveBack(_ chain: [UInt8]?) {
    state.withLock { state in
      state.entries[chain]?.users -= 1
      let idle = state.entries.filter { $0.key != nil && $0.value.users == 0 }
        .sorted { $0.value.lastUse > $1.value.lastUse }
      for (chain, entry) in idle.dropFirst(Self.maximumIdle) {
        entry.loop.stop()
        state.entries[chain] = nil
      }
    }
  }

  func stop() {
    state.withLock { state in
      for entry in state.entries.values { entry.loop.stop() }
    }
  }

  static let maximumIdle = 8
}
