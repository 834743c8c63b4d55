import TestSupport

@testable import Curl

@Suite struct InteropTests {
  @Test(.enabled(if: Program.isExpected("nginx"), "nginx is missing"))
  func requestsShareAnHTTP2Connection() async throws {
    let server = try SpawnedServer.nginx()
    let transport = try transport()
    let address = try server.url
    let responses = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for length in 0..<50 {
        let body = HTTPBody.bytes([UInt8](repeating: 0x61, count: length))
        group.addTask { try await transport.send(HTTPRequest(.post, address, body: body)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let words = responses.map { String(decoding: $0.body, as: UTF8.self).split(separator: " ") }
    #expect(Set(responses.map(\.version)) == ["HTTP/2"])
    #expect(Set(words.map { $0[0] }).count == 1)
    #expect(Set(words.map { $0[1] }) == ["HTTP/2.0"])
    #expect(Set(words.compactMap { Int($0[2]) }) == Set(0..<50))
  }

  /// nginx answers before it takes the body; some versions of libcurl need HTTP/1.1 then.
  @Test(
    .enabled(if: Program.isExpected("nginx"), "nginx is missing"),
    arguments: [(65_535, "HTTP/2"), (65_536, "HTTP/1.1"), (1_000_000, "HTTP/1.1")])
  func anEarlyAnswerEndsAnUpload(length: Int, version: String) async throws {
    let server = try SpawnedServer.nginx()
    let address = try server.url
    let transport = try transport()
    let bodies: [HTTPBody] = [
      .bytes([UInt8](repeating: 0, count: length)),
      .stream(CountedSource(length), length: Int64(length)),
    ]
    for body in bodies {
      let response = try await transport.send(HTTPRequest(.put, address, body: body))
      #expect(response.version == (CurlLibrary.has(.awaitsUnreadBody) ? version : "HTTP/2"))
      #expect(String(decoding: response.body, as: UTF8.self).hasSuffix(" \(length)"))
    }
  }

  @Test(.enabled(if: Program.isExpected("openssl"), "openssl is missing"))
  func aBodyMayEndWithTheConnection() async throws {
    let server = try SpawnedServer.openSSL()
    let transport = try transport()
    for _ in 1...2 {
      let response = try await transport.send(HTTPRequest(.get, server.url))
      #expect(response.status == 200)
      #expect(response.version == "HTTP/1.0")
      #expect(response.mediaType == "text/html")
      let page = String(decoding: response.body, as: UTF8.self)
      #expect(page.contains("New, TLSv1.3"))
      #expect(page.contains("</html>") || page.contains("</HTML>"))
    }
  }
}
