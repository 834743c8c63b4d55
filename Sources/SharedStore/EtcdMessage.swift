import JSON
import Primitives
import SDKCore

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

  /// What a response to ``reading(_:)`` or ``transaction(_:)`` has read.
  static func values(_ response: JSON) -> KeyValues {
    var values: [String: KeyValue] = [:]
    for step in response["responses"]?.array ?? [] {
      for kv in step["response_range"]?["kvs"]?.array ?? [] {
        if let (key, value) = value(kv) { values[key] = value }
      }
    }
    return KeyValues(revision: number(response["header"]?["revision"]) ?? 0, values: values)
  }

  /// What has changed, of a message of a watch; `nil` if nothing.
  static func changes(_ result: JSON) -> KeyChanges? {
    let events = result["events"]?.array ?? []
    guard !events.isEmpty else { return nil }
    var changes = KeyChanges(revision: number(result["header"]?["revision"]) ?? 0, values: [:])
    for event in events {
      guard let kv = event["kv"], let (key, value) = value(kv) else { continue }
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
