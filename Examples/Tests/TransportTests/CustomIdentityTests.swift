import Foundation
import HTTP
import SDKCore
import Synchronization
import Testing

/// Keeps identities in memory, by host.
actor MemoryStore: IdentityStoring {
  private var identities: [String: Identity] = [:]

  func identity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity? {
    identities[host].flatMap { $0.chain.isAccepted(by: acceptableIssuers) ? $0 : nil }
  }

  func store(_ identity: Identity, for host: String) async throws(SDKError) {
    identities[host] = identity
  }

  func delete(_ identity: Identity, for host: String) async throws(SDKError) {
    if identities[host]?.chain == identity.chain { identities[host] = nil }
  }
}

/// Returns an identity that the program has made.
struct OwnService: IdentityObtaining {
  let name = "own"
  let make: @Sendable (IdentityRequest) async throws(SDKError) -> Identity

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    try await make(request)
  }
}

/// A server that asks every request for a certificate.
struct AskingTransport: Transport {
  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    throw TransportError(
      .clientCertificateRequired, "the server requires a client certificate",
      certificateRefusal: ClientCertificateRefusal(.requested))
  }
}

struct CustomIdentityTests {
  @Test("the program's service is called once if a server asks, and its failure is the request's")
  func asksTheService() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: home) }
    let store = ProfileStore(StoreLocation(home: home))
    let name = try ProfileName("work")
    try await store.add(
      Profile(
        name: name,
        members: ["issuer": "https://id.test", "resourceURL": "https://api.test"]))
    let session = try ProfileSession(opening: name, in: store, transport: AskingTransport())
    let calls = Mutex(0)
    let service = OwnService { (request) async throws(SDKError) in
      calls.withLock { $0 += 1 }
      throw SDKError(.refused, "no identity for \(request.host)")
    }
    session.resources.register(
      IdentityObserver(session, store: MemoryStore(), obtainer: service))
    let error = await #expect(throws: SDKError.self) {
      try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/me"))
    }
    #expect(error?.code == .refused)
    #expect(calls.withLock { $0 } == 1)
  }
}
