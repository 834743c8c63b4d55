import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

/// The store of the model, as one process uses it.
struct ModelStore: KeyValueStore {
  let world: ModelWorld
  let process: Int
  var behind: Int64 { 0 }

  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues {
    try await world.step(process, .read) {
      Self.read(prefixes, $0)
    } seen: {
      ModelWorld.seen($0.values)
    }
  }

  func grant(seconds: Int64) async throws(SDKError) -> Int64 {
    let index = process
    return try await world.step(process, .grant) { state in
      // Not in the order of all processes, so that it does not matter.
      let lease = Int64(100 * (index + 1) + state.processes[index].history.count)
      state.leases.insert(lease)
      state.processes[index].lease = lease
      return lease
    } seen: {
      "\($0)"
    }
  }

  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool { true }

  func revoke(_ lease: Int64) async throws(SDKError) {
    try await world.step(process, .revoke) { state in
      ModelWorld.end(lease, &state)
    } seen: { _ in
      ""
    }
  }

  func commit(
    _ transaction: KeyTransaction
  ) async throws(SDKError) -> KeyTransaction.Outcome {
    let isLock = transaction.puts.contains { $0.lease != 0 }
    let isNote = transaction.puts.contains { $0.key.hasSuffix("/note") }
    let outcome = try await world.step(process, isLock ? .take : isNote ? .note : .store) {
      state -> KeyTransaction.Outcome? in
      guard transaction.puts.allSatisfy({ $0.lease == 0 || state.leases.contains($0.lease) }) else {
        return nil
      }
      let succeeded = transaction.holds(state.values)
      if succeeded {
        state.revision += 1
        for put in transaction.puts {
          state.values[put.key] = KeyValue(
            value: put.value, created: state.values[put.key]?.created ?? state.revision,
            modified: state.revision, lease: put.lease)
          if put.key.hasSuffix("/value"),
            let counter = (try? JSON(parsing: put.value))?["counter"]?.int
          {
            state.stored.append(counter)
          }
        }
        for key in transaction.deletions { state.values[key] = nil }
      }
      return KeyTransaction.Outcome(succeeded: succeeded, read: Self.read(transaction.reads, state))
    } seen: { outcome in
      "\(outcome?.succeeded ?? false) \(ModelWorld.seen(outcome?.read.values ?? [:]))"
    }
    guard let outcome else { throw SDKError(.changedElsewhere, "the lease has vanished") }
    return outcome
  }

  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges? {
    // What has changed is read: the same as after a compaction.
    try await world.step(process, .changes(revision)) { _ in
    } seen: { _ in
      ""
    }
    return nil
  }

  private static func read(_ prefixes: [String], _ state: ModelWorld.State) -> KeyValues {
    KeyValues(
      revision: state.revision,
      values: state.values.filter { key, _ in prefixes.contains { key.hasPrefix($0) } })
  }
}
