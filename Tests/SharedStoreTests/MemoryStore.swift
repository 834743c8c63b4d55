@testable import SDKCore
@testable import SharedStore

/// A store in memory, which can fail.
actor MemoryStore: KeyValueStore {
  private(set) var content = KeyValues(revision: 1, values: [:])
  private(set) var leases: Set<Int64> = []
  /// The names of the operations that were asked for.
  private(set) var calls: [String] = []
  /// What reads throw.
  var readError: SDKError?
  /// Whether the time of the command ends with that of a wait: then no node is asked any more.
  private var endsWithWait = false
  /// What commits throw.
  var commitError: SDKError?
  /// What commits throw that are made.
  var answerError: SDKError?
  /// Commits that are made, and reported as if their conditions had not held.
  var deniedCommits = 0
  nonisolated let behind: Int64 = 0
  /// What another machine writes after the next commit that was made, before its answer comes.
  var later: (key: String, value: [UInt8])?

  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues {
    calls.append("read")
    if let readError { throw readError }
    return found(prefixes)
  }

  func grant(seconds: Int64) async throws(SDKError) -> Int64 {
    calls.append("grant")
    content.revision += 1
    leases.insert(content.revision)
    return content.revision
  }

  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool {
    calls.append("keepAlive")
    return leases.contains(lease)
  }

  func revoke(_ lease: Int64) async throws(SDKError) {
    calls.append("revoke")
    leases.remove(lease)
    content.values = content.values.filter { $0.value.lease != lease }
  }

  func commit(
    _ transaction: KeyTransaction
  ) async throws(SDKError) -> KeyTransaction.Outcome {
    calls.append("commit")
    if let commitError { throw commitError }
    // As etcd does, unless it is told otherwise.
    let operations = transaction.puts.count + transaction.deletions.count + transaction.reads.count
    guard max(transaction.conditions.count, operations) <= 128 else {
      throw SDKError(.refused, "too many operations in txn request")
    }
    let holds = transaction.holds(content.values)
    if holds {
      for put in transaction.puts { set(put.key, put.value, lease: put.lease) }
      for key in transaction.deletions { content.values[key] = nil }
    }
    if let answerError { throw answerError }
    let isDenied = deniedCommits > 0
    if isDenied { deniedCommits -= 1 }
    if let later { set(later.key, later.value) }
    later = nil
    return KeyTransaction.Outcome(succeeded: holds && !isDenied, read: found(transaction.reads))
  }

  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges? {
    calls.append("changes")
    try? await Task.sleep(for: endsWithWait ? time : min(time, .milliseconds(5)))
    if endsWithWait { readError = SDKError(.network, "not asked") }
    return nil
  }

  /// Writes a value as another machine does.
  func set(_ key: String, _ value: [UInt8], lease: Int64 = 0) {
    content.revision += 1
    content.values[key] = KeyValue(
      value: value, created: content.values[key]?.created ?? content.revision,
      modified: content.revision, lease: lease)
  }

  func fail(_ error: SDKError?) { readError = error }

  func endWithWait() { endsWithWait = true }

  func failCommits(_ error: SDKError?) { commitError = error }

  func failAnswers(_ error: SDKError?) { answerError = error }

  func deny(_ count: Int) { deniedCommits = count }

  /// Ends all leases; their keys stay for the next commit to find.
  func endLeases() { leases = [] }

  func drop(_ key: String) { content.values[key] = nil }

  func overtake(_ key: String, _ value: [UInt8]) { later = (key, value) }

  private func found(_ prefixes: [String]) -> KeyValues {
    KeyValues(
      revision: content.revision,
      values: content.values.filter { key, _ in prefixes.contains { key.hasPrefix($0) } })
  }
}

extension KeyTransaction {
  /// Whether its conditions hold for these values.
  func holds(_ values: [String: KeyValue]) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .created(let key, let revision): (values[key]?.created ?? 0) == revision
      case .modified(let key, let revision): (values[key]?.modified ?? 0) == revision
      }
    }
  }
}
