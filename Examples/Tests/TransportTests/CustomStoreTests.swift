import Foundation
import HTTP
import SDKCore
import Testing

/// Keeps what several machines share in memory.
actor MemoryKeyValueStore: KeyValueStore {
  private var content = KeyValues(revision: 0, values: [:])
  private var leases: Set<Int64> = []

  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues { found(prefixes) }

  func grant(seconds: Int64) async throws(SDKError) -> Int64 {
    content.revision += 1
    leases.insert(content.revision)
    return content.revision
  }

  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool { leases.contains(lease) }

  func revoke(_ lease: Int64) async throws(SDKError) {
    leases.remove(lease)
    content.values = content.values.filter { $0.value.lease != lease }
  }

  func commit(
    _ transaction: KeyTransaction
  ) async throws(SDKError) -> KeyTransaction.Outcome {
    guard transaction.puts.allSatisfy({ $0.lease == 0 || leases.contains($0.lease) }) else {
      throw SDKError(.changedElsewhere, "the lease has vanished")
    }
    let succeeds = transaction.conditions.allSatisfy { condition in
      switch condition {
      case .created(let key, let revision): (content.values[key]?.created ?? 0) == revision
      case .modified(let key, let revision): (content.values[key]?.modified ?? 0) == revision
      }
    }
    if succeeds {
      content.revision += 1
      for put in transaction.puts {
        content.values[put.key] = KeyValue(
          value: put.value, created: content.values[put.key]?.created ?? content.revision,
          modified: content.revision, lease: put.lease)
      }
      for key in transaction.deletions { content.values[key] = nil }
    }
    return KeyTransaction.Outcome(succeeded: succeeds, read: found(transaction.reads))
  }

  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges? {
    // It is not known what has changed: the caller reads again.
    try? await Task.sleep(for: .milliseconds(10))
    return nil
  }

  private func found(_ prefixes: [String]) -> KeyValues {
    KeyValues(
      revision: content.revision,
      values: content.values.filter { key, _ in prefixes.contains { key.hasPrefix($0) } })
  }

  var bytes: [UInt8] { content.values.values.flatMap(\.value) }
}

/// Answers who shows the cookie.
struct CookieGuard: Transport {
  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    let isKnown = request.fields["Cookie"] == "session=\(CustomStoreTests.secret)"
    return HTTPResponse(status: isKnown ? 200 : 403, url: request.url)
  }
}

struct CustomStoreTests {
  static let secret = "secret-of-the-login"

  @Test("two machines share a login in a store of the program's own")
  func shares() async throws {
    let homes = (0..<2).map { _ in
      FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())").path
    }
    defer { for home in homes { try? FileManager.default.removeItem(atPath: home) } }
    let shared = MemoryKeyValueStore()
    let stores = homes.map {
      ProfileStore(StoreLocation(home: $0), programs: ["memory": shared])
    }
    let (work, key) = (try ProfileName("work"), try ProfileStore.makeStoreKey())
    let address = try #require(SharedAddress("program:memory/team/work"))

    try await stores[0].add(
      Profile(
        name: work, members: ["issuer": "https://id.test", "resourceURL": "https://api.test"]))
    try await stores[0].addStoreKey(key, of: work)
    try await stores[0].move(secretsOf: work, to: .shared(address))
    let session = try ProfileSession(opening: work, in: stores[0], transport: TableTransport([:]))
    let cookie = try #require(
      Cookie(name: "session", value: Self.secret, domain: "api.test", isHostOnly: true))
    try await session.login.store(.cookies(CookieSession([cookie])))

    let offered = try await stores[1].profile(
      at: address, as: work, by: StoreConnection(), key: key)
    try await stores[1].join(offered)
    let second = try ProfileSession(opening: work, in: stores[1], transport: CookieGuard())
    #expect(try await UserClient(second).send(ResourceRequest("/devices")).status == 200)
    let status = try #require(try await stores[1].sharedStatus(of: work))
    #expect(status.nodes.isEmpty && status.locks.isEmpty)
    let documents = try #require(status.documents)
    #expect(documents.contains { $0.path == "credentials/user" && $0.error == nil })
    #expect(!String(decoding: await shared.bytes, as: UTF8.self).contains(Self.secret))

    // A program without the store says so, and changes nothing.
    let other = ProfileStore(StoreLocation(home: homes[1]))
    let error = await #expect(throws: SDKError.self) { try await other.sharedStatus(of: work) }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("does not bring the store 'memory'") == true)
  }
}
