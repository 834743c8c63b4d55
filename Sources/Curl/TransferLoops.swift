import HTTP
import Synchronization

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

  /// Ends all.
  func stop() {
    state.withLock { state in
      for entry in state.entries.values { entry.loop.stop() }
    }
  }

  static let maximumIdle = 8
}
