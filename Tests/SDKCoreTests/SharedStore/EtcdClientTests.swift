import HTTP
import JSON
import TestSupport
import Testing

@testable import SDKCore

@Suite("Client of etcd")
struct EtcdClientTests {
  private static let nodes = ["https://n0.test:2379", "https://n1.test:2379"]

  private func client(_ transport: FakeTransport) throws -> EtcdClient {
    EtcdClient(
      try Self.nodes.map { try HTTPURL($0) }, over: transport,
      certificate: { () async throws(SDKError) in nil }, remaining: { .milliseconds(500) })
  }

  private func urls(_ path: String) -> [String] { Self.nodes.map { "\($0)/v3/\(path)" } }

  @Test("reads keys with their revisions; what is left out is zero")
  func read() async throws {
    let body = """
      {"header":{"revision":"9"},"responses":[{"response_range":{"kvs":[{"key":"cC94","create_revision":"3",\
      "mod_revision":"7","value":"dg=="},{"key":"cC95","create_revision":"8","mod_revision":"8",\
      "lease":"77"}]}},{"response_range":{}}]}
      """
    let transport = FakeTransport(
      Dictionary(uniqueKeysWithValues: urls("kv/txn").map { ($0, [.json(body)]) }))
    let values = try await client(transport).read(["p/"])
    #expect(values.revision == 9)
    #expect(values.values["p/x"] == KeyValue(value: [0x76], created: 3, modified: 7))
    #expect(values.values["p/y"] == KeyValue(value: [], created: 8, modified: 8, lease: 77))
    let sent = try #require(transport.sent.first)
    #expect(sent.body.contains(#""key":"cC8=","range_end":"cDA=""#))
    #expect(sent.stopsForCertificate)
  }

  @Test("asks the next node after a failure, and names all of them in the end")
  func turns() async throws {
    for failing in 0..<2 {
      var responses = Dictionary(
        uniqueKeysWithValues: urls("lease/grant").map {
          ($0, [FakeTransport.Response.json(#"{"ID":"5","TTL":"60"}"#)])
        })
      responses[urls("lease/grant")[failing]] = [.failure(.connection, "refused")]
      #expect(try await client(FakeTransport(responses)).grant(seconds: 60) == 5)
    }
    let down = FakeTransport(
      Dictionary(
        uniqueKeysWithValues: urls("lease/grant").map {
          ($0, [.json(#"{"error":"etcdserver: no leader","code":14}"#, status: 503)])
        }))
    let error = await #expect(throws: SDKError.self) {
      _ = try await client(down).grant(seconds: 60)
    }
    #expect(error?.code == .network && error?.isRetryable == true)
    #expect(
      error?.message
        == "could not reach the shared store: n0.test:2379: etcdserver: no leader; "
        + "n1.test:2379: etcdserver: no leader")
  }

  @Test("ends at once for what no other node mends")
  func final() async throws {
    let cases: [(FakeTransport.Response, SDKError.Code)] = [
      (.failure(.pinMismatch, "no key is pinned"), .pin),
      (.failure(.clientCertificateRequired, "a certificate is required"), .identity),
      (.failure(.tls, "the chain"), .tls),
      (.json(#"{"code":7,"message":"permission denied"}"#, status: 403), .refused),
      (.json(#"{"code":3,"message":"etcdserver: request is too large"}"#, status: 400), .store),
      (
        .json(#"{"code":5,"message":"etcdserver: requested lease not found"}"#, status: 404),
        .changedElsewhere
      ),
    ]
    for (response, code) in cases {
      let transport = FakeTransport(
        Dictionary(uniqueKeysWithValues: urls("kv/txn").map { ($0, [response]) }))
      let error = await #expect(throws: SDKError.self) {
        _ = try await client(transport).commit(KeyTransaction())
      }
      #expect(error?.code == code)
      #expect(transport.sent.count == 1)
    }
  }
}
