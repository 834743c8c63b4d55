import TestSupport

@testable import Curl

@Suite struct ConnectionTests {
  @Test func aSecondRequestReusesTheConnection() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    for path in ["hello", "last"] {
      _ = try await transport.send(HTTPRequest(.get, try url(server, path)))
    }
    #expect(
      try await server.events() == [
        "accepted", "handshake TLSv1.3 resumed=False", "request GET /hello HTTP/1.1",
        "request GET /last HTTP/1.1", "closed",
      ])
  }

  @Test(arguments: ["TLSv1_2", "TLSv1_3"])
  func noSessionIsResumed(version: String) async throws {
    let server = try LoopbackServer(only: version)
    let transport = try transport()
    for _ in 1...3 { _ = try await transport.send(HTTPRequest(.get, try url(server, "last"))) }
    let handshakes = try await server.events(untilClosed: 3).filter { $0.hasPrefix("handshake") }
    #expect(handshakes.count == 3)
    #expect(handshakes.allSatisfy { $0.hasSuffix("resumed=False") })
  }

  @Test(arguments: ["reset", "close"])
  func noRequestIsLostWhenTheServerClosesItsConnections(way: String) async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    for number in 0..<20 {
      let body = Array("\(number)".utf8)
      let request = HTTPRequest(.put, try url(server, "once/\(way)"), body: .bytes(body))
      #expect(try await transport.send(request).body == body)
    }
  }

  @Test func eachTransferIsMeasuredForItself() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    for number in 0..<3 {
      let response = try await transport.send(HTTPRequest(.get, try url(server, "bytes/100")))
      #expect(response.metrics.connections == (number == 0 ? 1 : 0))
      #expect(response.metrics.downloaded == 100)
      #expect(response.metrics.pins == .matched)
    }
  }

  @Test func aTransportWithOtherPinsReusesNothing() async throws {
    let server = try LoopbackServer()
    let good = try transport()
    _ = try await good.send(HTTPRequest(.get, try url(server, "hello")))
    let bad = try transport(pinning: "stranger.pem")
    let address = try url(server, "hello")
    let error = try await bad.failure(of: HTTPRequest(.get, address))
    #expect(error.code == .pinMismatch)
    _ = try await good.send(HTTPRequest(.get, address))
  }

  @Test func aFailureDoesNotStickToTheTransport() async throws {
    let broken = try LoopbackServer(chain: "expired-chain.pem")
    let sound = try LoopbackServer()
    let transport = try transport(pinning: "issuer.pem")
    for _ in 1...2 {
      let error = try await transport.failure(of: HTTPRequest(.get, try url(broken, "hello")))
      #expect(error.code == .tls)
    }
    let response = try await transport.send(HTTPRequest(.get, try url(sound, "hello")))
    #expect(response.status == 200)
  }

  @Test func fiftyRequestsRunAtOnce() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    let address = try url(server, "bytes/10000")
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...50 {
        group.addTask { try await transport.send(HTTPRequest(.get, address)).body.count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 10_000, count: 50))
  }

  @Test func theTraceTellsNoSecret() async throws {
    let server = try LoopbackServer()
    let lines = FakeNotes()
    let transport = try transport { $0.trace = { lines.add($0) } }
    _ = try await transport.send(
      HTTPRequest(
        .get, try url(server, "hello?code=secret"),
        fields: [try HTTPField("Authorization", "Bearer secret")]))
    let origin = "localhost:\(server.port)"
    #expect(
      lines.all.dropLast() == [
        "> GET https://\(origin)/hello?…", "* TLSv1.3 with \(origin)", "< HTTP/1.1 200 OK",
      ])
    #expect(lines.all.last?.contains(" bytes after ") == true)
  }
}
