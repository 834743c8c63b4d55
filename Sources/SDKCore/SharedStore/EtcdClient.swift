import HTTP
import JSON
import POSIX
import Primitives
import Synchronization

/// The JSON API of etcd (`/v3/…`), over the transport of the profile.
///
/// Keys and values are base64, numbers are texts, and what is zero or empty is left out. The nodes are tried in
/// turn, with one deadline; one that hangs costs two seconds.
final class EtcdClient: KeyValueStore {
  private let endpoints: [HTTPURL]
  private let transport: any Transport
  private let certificate: @Sendable () async throws(SDKError) -> ClientCertificate?
  private let remaining: @Sendable () -> Duration?
  /// The node that is asked first.
  private let first: Atomic<Int>

  init(
    _ endpoints: [HTTPURL], over transport: any Transport,
    certificate: @escaping @Sendable () async throws(SDKError) -> ClientCertificate?,
    remaining: @escaping @Sendable () -> Duration?
  ) {
    self.endpoints = endpoints
    self.transport = transport
    self.certificate = certificate
    self.remaining = remaining
    // Not all machines ask the same node.
    first = Atomic(Int.random(in: 0..<max(1, endpoints.count)))
  }

  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues {
    let members: [JSON] = prefixes.map { ["request_range": Self.range($0)] }
    let response = try await call("kv/txn", ["success": .array(members)], within: Self.usualTime)
    return Self.values(response)
  }

  func grant(seconds: Int64) async throws(SDKError) -> Int64 {
    let response = try await call(
      "lease/grant", ["TTL": .string("\(seconds)")], within: Self.usualTime)
    guard let lease = Self.number(response["ID"]), lease != 0 else {
      throw SDKError(.malformedResponse, "could not get a lease: the shared store sent none")
    }
    return lease
  }

  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool {
    let response = try await call(
      "lease/keepalive", ["ID": .string("\(lease)")], within: Self.usualTime)
    return Self.number(response["result"]?["TTL"]) ?? 0 > 0
  }

  func revoke(_ lease: Int64) async throws(SDKError) {
    _ = try await call("lease/revoke", ["ID": .string("\(lease)")], within: Self.nodeTime)
  }

  func commit(
    _ transaction: KeyTransaction
  ) async throws(SDKError) -> KeyTransaction.Outcome {
    let reads: [JSON] = transaction.reads.map { ["request_range": Self.range($0)] }
    let puts: [JSON] = transaction.puts.map { put in
      [
        "request_put": .members([
          "key": Self.text(put.key), "value": .string(Base64.encode(put.value)),
          "lease": put.lease == 0 ? nil : .string("\(put.lease)"),
        ])
      ]
    }
    let deletions: [JSON] = transaction.deletions.map {
      ["request_delete_range": ["key": Self.text($0)]]
    }
    let conditions: [JSON] = transaction.conditions.map { condition in
      switch condition {
      case .created(let key, let revision):
        [
          "key": Self.text(key), "target": "CREATE", "result": "EQUAL",
          "create_revision": .string("\(revision)"),
        ]
      case .modified(let key, let revision):
        [
          "key": Self.text(key), "target": "MOD", "result": "EQUAL",
          "mod_revision": .string("\(revision)"),
        ]
      }
    }
    let response = try await call(
      "kv/txn",
      [
        "compare": .array(conditions), "success": .array(puts + deletions + reads),
        "failure": .array(reads),
      ], within: Self.writeTime)
    return KeyTransaction.Outcome(
      succeeded: response["succeeded"]?.bool ?? false, read: Self.values(response))
  }

  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges? {
    let body = JSON.members([
      "create_request": .members([
        "key": Self.text(prefix), "range_end": .string(Base64.encode(Self.end(of: prefix))),
        "start_revision": .string("\(revision + 1)"),
      ])
    ])
    let watch = EtcdWatch()
    let request = try await self.request(node(), "watch", body, time)
    do throws(TransportError) {
      try await watch.run(request, over: transport, startingWithin: Self.nodeTime)
    } catch {
      // The next request goes to another node.
      next()
      try Self.requireTransient(error)
    }
    return watch.changes
  }

  /// What each node says of itself; for people.
  func status() async -> [(endpoint: HTTPURL, state: Result<JSON, SDKError>)] {
    var states: [(HTTPURL, Result<JSON, SDKError>)] = []
    for index in endpoints.indices {
      do throws(SDKError) {
        states.append(
          (
            endpoints[index],
            .success(try await send(index, "maintenance/status", [:], Self.nodeTime))
          )
        )
      } catch {
        states.append((endpoints[index], .failure(error)))
      }
    }
    return states
  }

  // MARK: Requests

  /// Sends a request to the nodes in turn, until one answers or the time is over.
  private func call(
    _ path: String, _ body: JSON, within time: Duration
  ) async throws(SDKError) -> JSON {
    let deadline = ContinuousClock.now + min(time, remaining() ?? time)
    var failures: [Int: String] = [:]
    var patience = Self.nodeTime
    while true {
      for _ in endpoints {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw unreachable(failures) }
        let index = node()
        do throws(SDKError) {
          return try await send(index, path, body, min(left, patience))
        } catch {
          guard error.code == .network else { throw error }
          failures[index] = error.message
          next()
        }
      }
      // If all nodes are slow, none of them hangs.
      patience = patience * 2
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > Self.pause, (try? await Task.sleep(for: Self.pause)) != nil else {
        throw unreachable(failures)
      }
    }
  }

  private func send(
    _ index: Int, _ path: String, _ body: JSON, _ time: Duration
  ) async throws(SDKError) -> JSON {
    let request = try await request(index, path, body, time)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await transport.send(request, limit: 16 << 20)
    } catch {
      try Self.requireTransient(error)
      throw SDKError(.network, cause: error.message)
    }
    guard let answer = try? JSON(parsing: response.body) else {
      throw SDKError(.network, cause: "status \(response.status), without an answer in JSON")
    }
    if response.isSuccess, answer["error"] == nil { return answer }
    throw Self.failure(answer, response.status)
  }

  private func request(
    _ index: Int, _ path: String, _ body: JSON, _ time: Duration
  ) async throws(SDKError) -> HTTPRequest {
    let url = try attempt("could not use the shared store", as: .invalidConfiguration) {
      try endpoints[index].appending("v3/\(path)")
    }
    var request = HTTPRequest(
      .post, url, fields: [HTTPField(known: "Content-Type", "application/json")],
      body: .bytes(body.serializedBytes()), timeout: time)
    request.clientCertificate = try await certificate()
    request.stopsForCertificate = true
    return request
  }

  private func node() -> Int { first.load(ordering: .relaxed) % max(1, endpoints.count) }

  private func next() { first.add(1, ordering: .relaxed) }

  /// What another node, or the same one later, does not mend.
  private static func requireTransient(_ error: TransportError) throws(SDKError) {
    let failure =
      error.certificateRefusal == nil
      ? SDKError(error)
      : SDKError(.identity, cause: error.message, details: error.details, subject: error.host)
    guard failure.code == .network || error.code == .malformed else {
      throw failure.during("could not use the shared store")
    }
  }

  private static func failure(_ answer: JSON, _ status: Int) -> SDKError {
    let text = VisibleText.of(
      answer["message"]?.string ?? answer["error"]?.string ?? "status \(status)", .space, limit: 300
    )
    let code = answer["code"]?.int ?? 0
    let action = "could not use the shared store: \(text)"
    // The codes of gRPC: deadline exceeded, unavailable, cancelled, aborted.
    if [1, 4, 10, 14].contains(code) || status >= 500 { return SDKError(.network, cause: text) }
    if code == 5, text.containsText("lease not found") {
      return SDKError(.changedElsewhere, action)
    }
    if [7, 16].contains(code) { return SDKError(.refused, action) }
    return SDKError(.store, action)
  }

  private func unreachable(_ failures: [Int: String]) -> SDKError {
    let states = endpoints.indices.map { index in
      "\(endpoints[index].authority): \(failures[index] ?? "not asked")"
    }
    return SDKError(
      .network, "could not reach the shared store: \(states.joined(separator: "; "))")
  }

  // MARK: Values

  private static func text(_ key: String) -> JSON { .string(Base64.encode(Array(key.utf8))) }

  private static func range(_ prefix: String) -> JSON {
    ["key": text(prefix), "range_end": .string(Base64.encode(end(of: prefix)))]
  }

  /// The first key after all that begin with the prefix, which ends with `/`.
  private static func end(of prefix: String) -> [UInt8] {
    var bytes = Array(prefix.utf8)
    if let last = bytes.popLast() { bytes.append(last + 1) }
    return bytes
  }

  static func number(_ value: JSON?) -> Int64? { value?.string.flatMap { Int64($0) } ?? value?.int }

  static func value(_ kv: JSON) -> (key: String, value: KeyValue)? {
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

  private static func values(_ response: JSON) -> KeyValues {
    var values: [String: KeyValue] = [:]
    for step in response["responses"]?.array ?? [] {
      for kv in step["response_range"]?["kvs"]?.array ?? [] {
        if let (key, value) = value(kv) { values[key] = value }
      }
    }
    return KeyValues(revision: number(response["header"]?["revision"]) ?? 0, values: values)
  }

  /// What one node may take, while others have not been asked.
  private static let nodeTime = Duration.seconds(2)
  private static let usualTime = Duration.seconds(20)
  /// What a server has just sent is lost if it cannot be stored: a new leader is waited for.
  private static let writeTime = Duration.seconds(30)
  private static let pause = Duration.milliseconds(200)
}
