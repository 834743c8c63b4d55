import Foundation
import HTTP
import SDKCore
import Testing

/// Answers every request by a table, and remembers what was sent: no server, no network.
final class TableTransport: Transport {
  let responses: [String: String]

  init(_ responses: [String: String]) { self.responses = responses }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    guard let text = responses[request.url.path] else {
      return HTTPResponse(status: 404, url: request.url)
    }
    return HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
  }
}

struct CustomTransportTests {
  @Test("a program's requests are tested without a server")
  func fetches() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: home) }
    let store = ProfileStore(StoreLocation(home: home))
    let name = try ProfileName("test")
    try await store.add(
      Profile(
        name: name,
        members: [
          "issuer": "https://id.test", "resourceURL": "https://api.test/v1",
        ]))
    let session = try ProfileSession(
      opening: name, in: store, transport: TableTransport(["/v1/status": "fine"]))

    let found = try await DeviceClient(session).sendUnauthenticated(
      ResourceRequest("GET", "/status"))
    #expect(found.status == 200)
    #expect(String(decoding: found.body, as: UTF8.self) == "fine")
    let missing = try await DeviceClient(session).sendUnauthenticated(
      ResourceRequest("GET", "/other"))
    #expect(missing.status == 404)

    // Nobody is logged in: the error says so before anything is sent.
    let error = await #expect(throws: SDKError.self) {
      try await UserClient(session).send(ResourceRequest("GET", "/status"))
    }
    #expect(error?.code == .notAuthenticated)
  }
}
