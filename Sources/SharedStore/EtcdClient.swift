import JSON
import Primitives
import SDKCore

/// The JSON API of etcd (`/v3/…`), over the nodes of a cluster.
struct EtcdClient: KeyValueStore {
  let nodes: EtcdNodes

  var behind: Int64 { nodes.behind }

  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues {
    EtcdMessage.values(
      try await nodes.call(
        "kv/txn", ["success": EtcdMessage.reading(prefixes)]))
  }

  func grant(seconds: Int64) async throws(SDKError) -> Int64 {
    let response = try await nodes.call(
      "lease/grant", ["TTL": .string("\(seconds)")])
    guard let lease = EtcdMessage.number(response["ID"]), lease != 0 else {
      throw SDKError(.malformedResponse, "could not get a lease: the shared store sent none")
    }
    return lease
  }

  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool {
    let response = try await nodes.call(
      "lease/keepalive", ["ID": .string("\(lease)")])
    return EtcdMessage.number(response["result"]?["TTL"]) ?? 0 > 0
  }

  func revoke(_ lease: Int64) async throws(SDKError) {
    _ = try await nodes.call(
      "lease/revoke", ["ID": .string("\(lease)")], within: Self.releaseTime)
  }

  func commit(
    _ transaction: KeyTransaction
  ) async throws(SDKError) -> KeyTransaction.Outcome {
    let response = try await nodes.call(
      "kv/txn", EtcdMessage.transaction(transaction), within: Self.writeTime,
      atLeast: transaction.isUrgent ? Self.urgentTime : .zero)
    return KeyTransaction.Outcome(
      succeeded: response["succeeded"]?.bool ?? false, read: EtcdMessage.values(response))
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
