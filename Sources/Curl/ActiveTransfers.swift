import HTTP

/// The transfers of a loop: those that run, by their handles, and those that wait for their turn.
struct ActiveTransfers {
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  /// The handles of those that have ended.
  var handles = HandlePool()
  private var waiting: [ObjectIdentifier: WaitingTransfers] = [:]
  /// How many of those that run read their body while they send it.
  private var bodies = 0

  /// Whether a turn has become free since ``takeFreedTurn()``.
  private var hasFreedTurn = false

  /// The running transfers.
  var all: [Transfer] { Array(running.values) }

  /// Whether none runs.
  var isEmpty: Bool { running.isEmpty }

  /// The descriptors that the bodies of requests wait for.
  var awaitedDescriptors: [Int32] {
    if bodies == 0 { return [] }
    return running.values.compactMap { $0.isPaused ? nil : $0.awaitedDescriptor }
  }

  /// Goes on with the bodies that waited for these descriptors.
  func resumeBodies(of ready: [Int32]) {
    for transfer in running.values {
      guard let descriptor = transfer.awaitedDescriptor, ready.contains(descriptor)
      else { continue }
      transfer.resumeBody()
    }
  }

  /// Counts a transfer as one that may start; `false` if it has to wait for its turn.
  mutating func admit(_ transfer: Transfer) -> Bool {
    guard let limit = transfer.request.turn?.limit else { return true }
    guard limit.isReached else {
      limit.noteStart()
      return true
    }
    transfer.isWaiting = true
    waiting[ObjectIdentifier(limit), default: WaitingTransfers(for: limit)].append(transfer)
    return false
  }

  /// The next one that may start, and is counted, after one that was admitted has ended.
  mutating func next(after transfer: Transfer) -> Transfer? {
    guard let limit = transfer.request.turn?.limit else { return nil }
    guard let next = waiting[ObjectIdentifier(limit)]?.removeFirst() else {
      waiting[ObjectIdentifier(limit)] = nil
      limit.noteEnd()
      hasFreedTurn = true
      return nil
    }
    return next
  }

  /// Whether a transfer waits whose limit may be raised.
  var waitsForRaise: Bool { waiting.values.contains(where: \.waitsForRaise) }

  /// Raises the limit of a transfer that waits for it; returns the transfer, which is counted.
  mutating func raiseLimit() -> Transfer? {
    guard let limit = waiting.values.first(where: \.waitsForRaise)?.limit else { return nil }
    limit.raise()
    limit.noteStart()
    return waiting[ObjectIdentifier(limit)]?.removeFirst()
  }

  /// Whether a turn has become free: who added a transfer before that did not wake the thread.
  mutating func takeFreedTurn() -> Bool {
    defer { hasFreedTurn = false }
    return hasFreedTurn
  }

  mutating func add(_ transfer: Transfer, by handle: EasyHandle) {
    running[handle.raw] = transfer
    if transfer.request.body.isStream { bodies += 1 }
  }

  mutating func remove(_ handle: UnsafeMutableRawPointer) -> Transfer? {
    let transfer = running.removeValue(forKey: handle)
    if transfer?.request.body.isStream == true { bodies -= 1 }
    return transfer
  }

  /// Forgets those that wait, and returns them.
  mutating func removeWaiting() -> [Transfer] {
    defer { waiting = [:] }
    return waiting.values.flatMap(\.all)
  }
}

extension HTTPBody {
  fileprivate var isStream: Bool {
    if case .stream = self { true } else { false }
  }
}

/// The transfers that wait for a limit, in the order in which they came.
private struct WaitingTransfers {
  let limit: TransferLimit
  private var transfers: [Transfer] = []
  private var first = 0

  init(for limit: TransferLimit) { self.limit = limit }

  var all: ArraySlice<Transfer> { transfers[first...] }

  /// Whether one waits for the limit to be raised, not for another to end.
  var waitsForRaise: Bool { first < transfers.count && !limit.isFull }

  mutating func append(_ transfer: Transfer) { transfers.append(transfer) }

  /// Removes the first one, which then no longer waits; returns `nil` if there is none.
  mutating func removeFirst() -> Transfer? {
    guard first < transfers.count else { return nil }
    transfers[first].isWaiting = false
    defer {
      first += 1
      // What has left is freed now and then, not each time.
      if first >= 64 {
        transfers.removeFirst(first)
        first = 0
      }
    }
    return transfers[first]
  }
}
