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

  /// Starts a transfer; its continuation is always resumed.
  func add(_ transfer: Transfer) {
    let (isAccepted, isFirst) = commands.withLock { commands in
      defer { if !commands.stops { commands.added.append(transfer) } }
      return (!commands.stops, commands.added.isEmpty)
    }
    guard isAccepted else { return transfer.finish(.failure(.shutDown)) }
    // Whoever added the first one has woken the thread, which then takes all of them.
    if isFirst { multi.wakeup() }
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
    var active: [UnsafeMutableRawPointer: Transfer] = [:]
    let isSound = drive(&active)
    close(&active, isSound ? .shutDown : .broken)
  }

  /// Drives transfers until the loop is stopped; `false` if the driver could not continue.
  private func drive(_ active: inout [UnsafeMutableRawPointer: Transfer]) -> Bool {
    while true {
      let commands = takeCommands()
      for transfer in commands.added { begin(transfer, in: &active) }
      for transfer in commands.cancelled { end(transfer, .cancelled, in: &active) }
      for (transfer, isPaused) in commands.paused { transfer.pause(isPaused) }
      if commands.stops { return true }
      guard multi.perform() else { return false }
      while let (easy, code) = multi.finished() {
        guard let transfer = active.removeValue(forKey: easy) else { continue }
        if let handle = transfer.easy { multi.remove(handle) }
        transfer.finish(after: code)
      }
      guard wait(for: &active) else { return false }
    }
  }

  /// Waits for the network, and ends transfers that were idle for too long.
  private func wait(for active: inout [UnsafeMutableRawPointer: Transfer]) -> Bool {
    // Without active transfers, an hour: only commands can bring work.
    let longest = active.values.compactMap(\.remainingIdleTime).min() ?? .seconds(3600)
    let start = ContinuousClock.now
    guard multi.poll(atMost: longest) else { return false }
    let wait = start.duration(to: .now)
    for transfer in Array(active.values) {
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

  private func begin(_ transfer: Transfer, in active: inout [UnsafeMutableRawPointer: Transfer]) {
    guard !transfer.isCancelled.load(ordering: .relaxed) else {
      return transfer.finish(.failure(.cancelled))
    }
    switch transfer.prepare() {
    case .success(let easy):
      active[easy.raw] = transfer
      if !multi.add(easy) { end(transfer, .broken, in: &active) }
    case .failure(let error): transfer.finish(.failure(error))
    }
  }

  private func end(
    _ transfer: Transfer, _ error: TransportError,
    in active: inout [UnsafeMutableRawPointer: Transfer]
  ) {
    guard let easy = transfer.easy, active.removeValue(forKey: easy.raw) != nil else { return }
    multi.remove(easy)
    transfer.finish(.failure(error))
  }

  /// Ends all remaining transfers, also those added meanwhile.
  private func close(
    _ active: inout [UnsafeMutableRawPointer: Transfer], _ error: TransportError
  ) {
    let rest = commands.withLock { commands in
      defer { commands = Commands(stops: true) }
      return commands.added
    }
    for transfer in rest { transfer.finish(.failure(error)) }
    for transfer in Array(active.values) { end(transfer, error, in: &active) }
  }
}

extension TransportError {
  static let cancelled = TransportError(.cancelled, "the transfer was cancelled")
  static let shutDown = TransportError(.cancelled, "the transport was shut down")
  static let broken = TransportError(.unavailable, "libcurl failed")
}
