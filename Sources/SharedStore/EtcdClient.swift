import JSON
import Primitives
import SDKCore

/// The JSON API of etcd (`/v3/…`), over the nodes of a cluster.
struct EtcdClient: KeyValueStore {
  let nodes: EtcdNodes

  var behind: Int64 { nodes.behind }

  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues {
    try await nodes.call("kv/txn", ["success": EtcdMessage.reading(prefixes)]) {
      EtcdMessage.values($0, of: prefixes.count)
    }
  }

  func grant(seconds: Int64) async throws(SDKError) -> Int64 {
    let response = try await nodes.call("lease/grant", ["TTL": .string("\(seconds)")]) { $0 }
    guard let lease = EtcdMessage.number(response["ID"]), lease != 0 else {
      throw SDKError(.malformedResponse, "could not get a lease: the shared store sent none")
    }
    return lease
  }

  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool {
    let response = try await nodes.call("lease/keepalive", ["ID": .string("\(lease)")]) { $0 }
    return EtcdMessage.number(response["result"]?["TTL"]) ?? 0 > 0
  }

  func revoke(_ lease: Int64) async throws(SDKError) {
    _ = try await nodes.call(
      "lease/revoke", ["ID": .string("\(lease)")], within: Self.releaseTime
    ) { $0 }
  }

  func commit(
    _ transaction: KeyTransaction
  ) async throws(SDKError) -> KeyTransaction.Outcome {
    try await nodes.call(
      "kv/txn", EtcdMessage.transaction(transaction), within: Self.writeTime,
      atLeast: transaction.isUrgent ? Self.urgentTime : .zero
    ) { EtcdMessage.outcome($0, of: transaction) }
  }

  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges? {
    var range = EtcdMessage.range(prefix)
    range["start_revision"] = .string("\(revision.addingClamped(1))")
    return try await nodes.watch(["create_request": .object(range)], waiting: time)
  }

  /// What a server has just sent is lost if it cannot be stored: a new leader is waited for.
  private static let writeTime = Duration.seconds(30)
  /// What it may take although the time limit of the command has passed.
  private static let urgentTime = Duration.seconds(5)
  /// Others wait for the locks of a lease that was not ended: a node that hangs is passed over.
  private static let releaseTime = EtcdNodes.nodeTime * 2
}

/// Keys, values and transactions as messages of etcd's JSON API.
///
/// Keys and values are base64, numbers are texts, and what is zero or empty is left out.
enum EtcdMessage {
  static func text(_ key: String) -> JSON { .string(Base64.encode(Array(key.utf8))) }

  /// All keys that begin with a text, which ends with `/`.
  static func range(_ prefix: String) -> JSONObject {
    ["key": text(prefix), "range_end": .string(Base64.encode(end(of: prefix)))]
  }

  /// The first key after all that begin with the prefix.
  private static func end(of prefix: String) -> [UInt8] {
    var bytes = Array(prefix.utf8)
    if let last = bytes.popLast() { bytes.append(last + 1) }
    return bytes
  }

  /// A request that reads all keys that begin with one of these texts.
  static func reading(_ prefixes: [String]) -> JSON {
    .array(prefixes.map { ["request_range": .object(range($0))] })
  }

  static func transaction(_ transaction: KeyTransaction) -> JSON {
    let puts: [JSON] = transaction.puts.map { put in
      [
        "request_put": .members([
          "key": text(put.key), "value": .string(Base64.encode(put.value)),
          "lease": put.lease == 0 ? nil : .string("\(put.lease)"),
        ])
      ]
    }
    let deletions: [JSON] = transaction.deletions.map {
      ["request_delete_range": ["key": text($0)]]
    }
    let reads = reading(transaction.reads)
    return [
      "compare": .array(transaction.conditions.map(condition)),
      "success": .array(puts + deletions + (reads.array ?? [])), "failure": reads,
    ]
  }

  private static func condition(_ condition: KeyTransaction.Condition) -> JSON {
    switch condition {
    case .created(let key, let revision):
      [
        "key": text(key), "target": "CREATE", "result": "EQUAL",
        "create_revision": .string("\(revision)"),
      ]
    case .modified(let key, let revision):
      [
        "key": text(key), "target": "MOD", "result": "EQUAL",
        "mod_revision": .string("\(revision)"),
      ]
    }
  }

  static func number(_ value: JSON?) -> Int64? { value?.string.flatMap { Int64($0) } ?? value?.int }

  /// What a response to ``transaction(_:)`` says; `nil` if it is not one of etcd.
  static func outcome(_ response: JSON, of transaction: KeyTransaction) -> KeyTransaction.Outcome? {
    guard let succeeded = response["succeeded"].map(\.bool) ?? false else { return nil }
    let writes = transaction.puts.count + transaction.deletions.count
    let count = transaction.reads.count + (succeeded ? writes : 0)
    return values(response, of: count).map {
      KeyTransaction.Outcome(succeeded: succeeded, read: $0)
    }
  }

  /// What a response has read in that many steps; `nil` if it is not one of etcd.
  ///
  /// A key that is missing counts as removed, so nothing that cannot be read is passed over.
  static func values(_ response: JSON, of count: Int) -> KeyValues? {
    guard let revision = number(response["header"]?["revision"]),
      let steps = response["responses"].map(\.array) ?? [], steps.count == count
    else { return nil }
    var values: [String: KeyValue] = [:]
    for step in steps {
      guard let pairs = step["response_range"]?["kvs"].map(\.array) ?? [] else { return nil }
      for pair in pairs {
        guard let (key, value) = value(pair) else { return nil }
        values[key] = value
      }
    }
    return KeyValues(revision: revision, values: values)
  }

  /// What has changed, of a message of a watch; `nil` if it cannot be read.
  static func changes(_ result: JSON) -> KeyChanges? {
    guard let revision = number(result["header"]?["revision"]) else { return nil }
    var changes = KeyChanges(revision: revision, values: [:])
    for event in result["events"]?.array ?? [] {
      guard let kv = event["kv"], let (key, value) = value(kv) else { return nil }
      changes.values[key] = .some(event["type"] == "DELETE" ? nil : value)
    }
    return changes
  }

  private static func value(_ kv: JSON) -> (key: String, value: KeyValue)? {
    guard let key = kv["key"]?.string.flatMap({ Base64.decode($0.utf8) }),
      let value = Base64.decode((kv["value"]?.string ?? "").utf8)
    else { return nil }
    return (
      String(decoding: key, as: UTF8.self),
      KeyValue(
        value: value, created: number(kv["create_revision"]) ?? 0,
        modified: number(kv["mod_revision"]) ?? 0, lease: number(kv["lease"]) ?? 0)
    )
  }
}

/// What the lock protocol needs of a replicated store: keys with revisions, leases, transactions, and the
/// wait for a change.
///
/// All that is written has one order, and each change gets a greater revision. Values are encrypted before they come
/// here, but for who holds a lock. Every operation may have been done although its error says otherwise: the answer
/// can be lost.
protocol KeyValueStore: Sendable {
  /// By how many seconds the machine's clock is behind that of the store; 0 while they agree.
  var behind: Int64 { get }

  /// Reads all keys that begin with one of these texts, at one revision.
  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues

  /// Makes a lease: its keys vanish if it is not kept alive for that many seconds.
  func grant(seconds: Int64) async throws(SDKError) -> Int64

  /// Begins the time of a lease again; `false` if it has vanished.
  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool

  /// Ends a lease: its keys vanish.
  func revoke(_ lease: Int64) async throws(SDKError)

  /// Changes keys if all conditions hold, and reads; at once, and for all machines.
  ///
  /// - Throws: ``SDKError/Code/changedElsewhere`` if a lease of the transaction has vanished.
  func commit(_ transaction: KeyTransaction) async throws(SDKError) -> KeyTransaction.Outcome

  /// Waits until a key that begins with this text has changed after a revision.
  ///
  /// - Returns: the changes; `nil` after the time, and if it is not known what has changed.
  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges?
}

struct KeyValue: Sendable, Hashable {
  var value: [UInt8]
  /// The revision at which the key was made.
  var created: Int64
  /// The revision at which the value was written.
  var modified: Int64
  /// The lease with which it vanishes; 0 for none.
  var lease: Int64 = 0
}

/// Keys as they were at a revision.
struct KeyValues: Sendable, Hashable {
  var revision: Int64
  var values: [String: KeyValue]
}

/// Keys that have changed; `nil` for those that have vanished.
struct KeyChanges: Sendable, Hashable {
  /// The revision of the last change.
  var revision: Int64
  var values: [String: KeyValue?]
}

/// Changes that are made together, or not at all.
struct KeyTransaction: Sendable, Hashable {
  /// What must hold for the changes to be made.
  enum Condition: Sendable, Hashable {
    /// The key was made at that revision; 0 if it does not exist.
    case created(String, Int64)
    /// The value was written at that revision; 0 if there is none.
    case modified(String, Int64)
  }

  struct Put: Sendable, Hashable {
    var key: String
    var value: [UInt8]
    var lease: Int64 = 0
  }

  struct Outcome: Sendable, Hashable {
    /// Whether the conditions held.
    var succeeded: Bool
    /// What was read, after the changes.
    var read: KeyValues
  }

  var conditions: [Condition] = []
  var puts: [Put] = []
  var deletions: [String] = []
  /// What is read in any case: all keys that begin with one of these texts.
  var reads: [String] = []
  /// Whether it stores what a server has just sent: the time limit of the command does not end it.
  var isUrgent = false
}
