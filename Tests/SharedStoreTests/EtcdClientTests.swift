import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

@Suite("Client of etcd")
struct EtcdClientTests {
  private static let nodes = ["https://n0.test:2379", "https://n1.test:2379"]
  /// The response to one step that found no key.
  private static let nothing = #"{"header":{"revision":"1"},"responses":[{"response_range":{}}]}"#

  func client(
    _ transport: any Transport, of nodes: [String] = nodes, within time: Duration = .seconds(600),
    silence: Duration = .seconds(600), at now: @escaping @Sendable () -> Timestamp = { 0 }
  ) throws -> EtcdClient {
    EtcdClient(
      nodes: EtcdNodes(
        try nodes.map { try HTTPURL($0) }, over: transport,
        certificate: { () async throws(SDKError) in nil }, remaining: { time },
        now: now, silence: silence))
  }

  private func transport(_ path: String, _ response: FakeTransport.Response) -> FakeTransport {
    FakeTransport(Dictionary(uniqueKeysWithValues: urls(path).map { ($0, [response]) }))
  }

  private func urls(_ path: String) -> [String] { Self.nodes.map { "\($0)/v3/\(path)" } }

  /// Nodes that refuse at once are asked many times within the deadline.
  @Test("nodes get more time in each round, and never too much to calculate with")
  func timeLimit() {
    let times = [0, 1, 2, 1000].map { EtcdNodes.timeLimit(in: $0) }
    #expect(times == [.seconds(2), .seconds(4), .seconds(8), .seconds(2048)])
  }

  @Test("reads keys with their revisions; what is left out is zero")
  func read() async throws {
    let body = """
      {"header":{"revision":"9"},"responses":[{"response_range":{"kvs":[{"key":"cC94","create_revision":"3",\
      "mod_revision":"7","value":"dg=="},{"key":"cC95","create_revision":"8","mod_revision":"8",\
      "lease":"77"}]}},{"response_range":{}}]}
      """
    let transport = transport("kv/txn", .json(body))
    let values = try await client(transport).read(["p/", "q/"])
    #expect(values.revision == 9)
    #expect(values.values["p/x"] == KeyValue(value: [0x76], created: 3, modified: 7))
    #expect(values.values["p/y"] == KeyValue(value: [], created: 8, modified: 8, lease: 77))
    let sent = try #require(transport.sent.first)
    #expect(sent.body.contains(#""key":"cC8=","range_end":"cDA=""#))
    #expect(sent.stopsForCertificate)
  }

  /// A key that is missing would count as removed.
  @Test(
    "asks another node after a response that is not one of etcd",
    arguments: [
      "{}", "[]", "null", #"{"responses":[{"response_range":{}}]}"#,
      #"{"header":{"revision":"x"},"responses":[{"response_range":{}}]}"#,
      #"{"header":{"revision":"9"}}"#, #"{"header":{"revision":"9"},"responses":"x"}"#,
      #"{"header":{"revision":"9"},"responses":[{},{}]}"#,
      #"{"header":{"revision":"9"},"responses":[{"response_range":{"kvs":5}}]}"#,
      #"{"header":{"revision":"9"},"responses":[{"response_range":{"kvs":[{"key":"?"}]}}]}"#,
      #"{"header":{"revision":"9"},"responses":[{"response_range":{"kvs":[{"key":"cC94","value":"?"}]}}]}"#,
      #"{"header":{"revision":"9"},"responses":[{}],"succeeded":"true"}"#,
    ])
  func other(body: String) async throws {
    let transport = transport("kv/txn", .json(Self.nothing))
    let reading = KeyTransaction(reads: ["p/"])
    for (number, url) in urls("kv/txn").enumerated() {
      transport.respond(url, .json(body))
      guard number == 1 else {
        #expect(try await client(transport).commit(reading).read.revision == 1)
        continue
      }
      let down = try client(transport, within: .seconds(1))
      await expect(
        .network,
        "could not reach the shared store: n0.test:2379: the response is not one of etcd; "
          + "n1.test:2379: the response is not one of etcd"
      ) { _ = try await down.commit(reading) }
    }
  }

  @Test("sends what must be stored although the time of the command is over, and nothing else")
  func urgent() async throws {
    let transport = transport("kv/txn", .json(#"{"succeeded":true,"header":{"revision":"9"}}"#))
    let client = try client(transport, within: .zero)
    await expect(.network) { try await client.commit(KeyTransaction()) }
    #expect(transport.sent.isEmpty)
    #expect(try await client.commit(KeyTransaction(isUrgent: true)).succeeded)
  }

  @Test(
    "asks the next node after a failure that another one may not have",
    arguments: [
      .failure(.connection, "refused"), .failure(.clientCertificateRequired, "refused"),
      .failure(.malformed, "not HTTP"),
    ] as [FakeTransport.Response])
  func turns(failure: FakeTransport.Response) async throws {
    for url in urls("lease/grant") {
      let transport = transport("lease/grant", .json(#"{"ID":"5","TTL":"60"}"#))
      transport.respond(url, failure)
      #expect(try await client(transport).grant(seconds: 60) == 5)
    }
  }

  @Test("names all nodes in the end")
  func down() async throws {
    let down = transport(
      "lease/grant", .json(#"{"error":"etcdserver: no leader","code":14}"#, status: 503))
    let error = await expect(
      .network,
      "could not reach the shared store: n0.test:2379: etcdserver: no leader; "
        + "n1.test:2379: etcdserver: no leader"
    ) { _ = try await client(down, within: .seconds(30)).grant(seconds: 60) }
    #expect(error?.isRetryable == true)
  }

  @Test("waits ten seconds in all for a cluster that does not respond, then two a question")
  func silence() async throws {
    let transport = transport("kv/txn", .json(Self.nothing))
    let nodes = try client(transport, silence: .seconds(10)).nodes
    let start = ContinuousClock.now
    let times = [0, 4, 9, 20, 59, 60, 65].map { nodes.timeOfSilence(at: start + .seconds($0)) }
    #expect(times == [10, 6, 2, 2, 2, 10, 5].map { .seconds($0) })
    _ = try await EtcdClient(nodes: nodes).read(["p/"])
    #expect(nodes.timeOfSilence(at: start + .seconds(66)) == .seconds(10))
    let asked = try #require(transport.sent.first?.timeout)
    #expect(asked <= EtcdNodes.nodeTime)
  }

  @Test("ends at once for what no other node mends")
  func final() async throws {
    let cases: [(FakeTransport.Response, SDKError.Code)] = [
      (.failure(.pinMismatch, "no key is pinned"), .pin),
      (.failure(.tls, "the chain"), .tls),
      (.json(#"{"code":7,"message":"permission denied"}"#, status: 403), .refused),
      (.json(#"{"code":3,"message":"etcdserver: request is too large"}"#, status: 400), .store),
      (
        .json(#"{"code":5,"message":"etcdserver: requested lease not found"}"#, status: 404),
        .changedElsewhere
      ),
    ]
    for (response, code) in cases {
      let transport = transport("kv/txn", response)
      await expect(code) { _ = try await client(transport).commit(KeyTransaction()) }
      #expect(transport.sent.count == 1)
    }
  }

  @Test(
    "reports that the client certificate is refused if every node refuses it, also by an alert",
    arguments: [
      TransportError(.clientCertificateRequired, "refused"),
      TransportError(
        .tls, "handshake failure", certificateRefusal: ClientCertificateRefusal(.alert(44))),
    ])
  func refusals(refusal: TransportError) async throws {
    let transport = transport("lease/grant", .failure(refusal))
    await expect(.identity) { try await client(transport).grant(seconds: 60) }
    #expect(transport.sent.count == 2)
  }

  @Test("returns the first change of a watch")
  func change() async throws {
    let lines = """
      {"result":{"header":{"revision":"7"},"created":true}}
      {"result":{"header":{"revision":"8"},"events":[{"type":"DELETE","kv":{"key":"cC9s","mod_revision":"8"}},\
      {"kv":{"key":"cC92","create_revision":"3","mod_revision":"8","value":"dg=="}}]}}

      """
    let transport = transport("watch", .json(lines))
    // A busy machine may take more than the two seconds that a node has to begin.
    var changes: KeyChanges?
    for _ in 0..<30 where changes == nil {
      changes = try await client(transport).changes(of: "p/", after: 7, waiting: .seconds(60))
    }
    #expect(
      changes
        == KeyChanges(
          revision: 8,
          values: ["p/l": nil, "p/v": KeyValue(value: [0x76], created: 3, modified: 8)]))
    let sent = try #require(transport.sent.first)
    #expect(sent.body.contains(#""key":"cC8=","range_end":"cDA=","start_revision":"8""#))
  }

  @Test("asks for what comes after any revision")
  func lastRevision() async throws {
    let transport = transport("watch", .json(""))
    _ = try await client(transport).changes(of: "p/", after: .max, waiting: .seconds(1))
    #expect(transport.sent.first?.body.contains(#""start_revision":"\#(Int64.max)""#) == true)
  }

  /// As etcd 3.4 sends them: for a revision that was compacted, and when a node stops.
  @Test(
    "does not know what has changed when the watch is cancelled, cut off or refused",
    arguments: [
      #"{"result":{"header":{"revision":"9"},"created":true}}"# + "\n"
        + #"{"result":{"header":{"revision":"9"},"canceled":true,"compact_revision":"8"}}"# + "\n",
      #"{"result":{"header":{"revision":"9"},"created":true}}"# + "\n", "", "garbage\n",
      #"{"error":{"grpc_code":14,"message":"etcdserver: no leader"}}"# + "\n",
      #"{"result":{"header":{"revision":"9"},"events":[{"kv":{"key":"cC94"}},{"kv":5}]}}"# + "\n",
      #"{"result":{"events":[{"kv":{"key":"cC94"}}]}}"# + "\n",
    ])
  func unknown(lines: String) async throws {
    let client = try client(transport("watch", .json(lines)))
    #expect(try await client.changes(of: "p/", after: 7, waiting: .seconds(1)) == nil)
  }

  @Test("refuses a lease without a number, and asks nobody when no time is left")
  func noLease() async throws {
    for body in ["{}", #"{"ID":"0"}"#, #"{"ID":"x"}"#] {
      let error = await #expect(throws: SDKError.self) {
        _ = try await client(transport("lease/grant", .json(body))).grant(seconds: 60)
      }
      #expect(error?.code == .malformedResponse, "\(body)")
    }
    let asked = transport("lease/grant", .json(#"{"ID":"5"}"#))
    await expect(.network) { _ = try await client(asked, within: .zero).grant(seconds: 60) }
    #expect(asked.sent.isEmpty)
  }

  @Test("ends a cancelled wait, and passes over what a watch cannot do")
  func cancelled() async throws {
    let cancelled = transport("watch", .failure(.cancelled, "cancelled"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client(cancelled).changes(of: "p/", after: 7, waiting: .seconds(1))
    }
    await expect(.cancelled) { try await task.value }
    for code in [TransportError.Code.timeout, .connection] {
      let failing = transport("watch", .failure(code, "no"))
      #expect(try await client(failing).changes(of: "p/", after: 7, waiting: .seconds(1)) == nil)
    }
  }

  private static let noon: Timestamp = 129_600

  /// A cluster of nodes whose clocks differ from noon by so many seconds; `nil` does not respond.
  private func client(
    clocks: [Int64?], at now: @escaping @Sendable () -> Timestamp
  ) throws -> EtcdClient {
    let transport = FakeTransport()
    let nodes = clocks.indices.map { "https://n\($0).test:2379" }
    for case (let node, let clock?) in zip(nodes, clocks) {
      var response = FakeTransport.Response.json(Self.nothing)
      let time = "\(Self.noon + clock)".split(separator: "T")[1].dropLast()
      response.fields = [HTTPField(known: "Date", "Fri, 02 Jan 1970 \(time) GMT")]
      for path in ["kv/txn", "maintenance/status"] {
        transport.respond("\(node)/v3/\(path)", response)
      }
    }
    return try client(transport, of: nodes, at: now)
  }

  @Test(
    "corrects the machine's clock by more than a minute only if most nodes agree",
    arguments: [
      ([3600], 3600), ([-3600], -3600), ([50], 0), ([0], 0),
      // One that lies changes nothing, whichever is asked first.
      ([-3600, 0, 0], 0), ([0, 3600, 0], 0), ([-3600, 3600, 0], 0), ([-3600, 0], 0),
      ([-3600, -3590, -3580], -3590), ([3600, 3590, 36000], 3600),
      // A majority of those that are configured.
      ([-3600, nil, -3600], -3600), ([-3600, nil, nil], 0), ([-3600, -3600, nil, nil], 0),
    ] as [([Int64?], Int64)])
  func clock(clocks: [Int64?], behind: Int64) async throws {
    for _ in 0..<4 {
      let client = try client(clocks: clocks, at: { Self.noon })
      #expect(client.behind == 0)
      _ = try await client.read(["p/"])
      #expect(abs(client.behind - behind) <= 20)
    }
  }

  @Test("asks the nodes again after the machine's clock was set")
  func clockIsSet() async throws {
    let now = Mutex<Timestamp>(Self.noon + 3600)
    let client = try client(clocks: [0, 0, 0], at: { now.withLock { $0 } })
    _ = try await client.read(["p/"])
    #expect(client.behind == -3600)
    now.withLock { $0 = Self.noon }
    _ = try await client.read(["p/"])
    #expect(client.behind == 0)
  }
}
