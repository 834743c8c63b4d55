import TestSupport

@testable import Curl

@Suite("Time limits")
struct TimeoutTests {
  @Test("of the command hold for all exchanges together")
  func deadline() async throws {
    let server = try LoopbackServer()
    do {
      let transport = try transport { $0.deadline = .now + .seconds(6) }
      _ = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
      for path in ["wait", "hello"] {
        let request = HTTPRequest(.get, try url(server, path), timeout: .seconds(20))
        let error = try await transport.failure(of: request)
        #expect(error.code == .timeout)
        #expect(error.message.contains("the time limit of the command"))
      }
      let probed = await #expect(throws: TransportError.self) {
        try await transport.probe(host: "localhost", port: UInt16(server.port))
      }
      #expect(probed?.message.contains("was not asked: the time limit of the command") == true)
    }
    // The transport has ended, and its connection.
    let events = try await server.events()
    #expect(events.filter { $0.contains("/hello") } == ["request GET /hello HTTP/1.1"])
  }

  @Test("by which a request must have been sent hold when the connection is made")
  func sendBefore() async throws {
    let server = try LoopbackServer()
    do {
      let transport = try transport()
      for limit in [ContinuousClock.now + .seconds(20), .now] {
        var request = HTTPRequest(.get, try url(server, "hello"))
        request.sendBefore = limit
        if limit > .now {
          _ = try await transport.send(request)
        } else {
          let late = request
          let error = try await transport.failure(of: late)
          #expect(error.code == .timeout && error.message.contains("could not be sent in time"))
        }
      }
    }
    #expect(try await server.events().count { $0.contains("/hello") } == 1)
  }

  @Test("end a transfer if the server stays silent", arguments: ["wait", "stall"])
  func silence(path: String) async throws {
    let server = try LoopbackServer()
    let transport = try transport { $0.idleTimeout = .seconds(1) }
    _ = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
    let error = try await transport.failure(of: HTTPRequest(.get, try url(server, path)))
    #expect(error.code == .timeout)
    #expect(error.message == "localhost:\(server.port) sent and took nothing within 1.0 seconds")
    // The connection, which served another request before, was not closed by the server.
    #expect(try await server.events().count { $0.contains("/\(path)") } == 1)
  }

  @Test("of silence do not end a response that arrives slowly")
  func slow() async throws {
    let server = try LoopbackServer()
    let transport = try transport { $0.idleTimeout = .seconds(8) }
    let response = try await transport.send(HTTPRequest(.get, try url(server, "drip/120")))
    #expect(response.body.count == 120)
  }

  @Test("of silence do not end a transfer that is suspended")
  func suspended() async throws {
    let server = try LoopbackServer()
    let transport = try transport { $0.idleTimeout = .seconds(5) }
    var request = HTTPRequest(.get, try url(server, "bytes/3000000"))
    let gate = TransferGate()
    request.gate = gate
    let sink = SuspendingSink(gate)
    let transfer = Task { [request] in try await transport.send(request, receiving: .sink(sink)) }
    await sink.isSuspended.waitRegardless()
    try await Task.sleep(for: .seconds(12))
    gate.setSuspended(false)
    #expect(try await transfer.value.status == 200)
    #expect(sink.count == 3_000_000)
  }

  @Test("of silence are not those of a request with a limit of its own")
  func ownLimit() async throws {
    let server = try LoopbackServer()
    let transport = try transport { $0.idleTimeout = .seconds(20) }
    let error = try await transport.failure(
      of: HTTPRequest(.get, try url(server, "stall"), timeout: .milliseconds(500)))
    #expect(error.message == "localhost:\(server.port) did not respond in full within 0.5 seconds")
  }
}
