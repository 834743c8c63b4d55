import HTTP
import Testing

@testable import Curl

@Suite("A handle that is used again")
struct HandlePoolTests {
  private static func fields(_ fields: [(String, String)]) throws -> HTTPFields {
    HTTPFields(try fields.map { try HTTPField($0.0, $0.1) })
  }

  @Test("has nothing of the request before: method, body, fields, coding, time limit")
  func nothingStays() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    let echo = try url(server, "echo")
    var first = HTTPRequest(
      .post, echo,
      fields: try Self.fields([("X-Secret", "1"), ("Content-Type", "text/plain"), ("Expect", "")]),
      body: .bytes(Array("body".utf8)), timeout: .seconds(60))
    first.decodesContent = true
    let plain = HTTPRequest(.get, echo)
    let requests = [
      first, plain, HTTPRequest(.head, echo), plain, HTTPRequest(.put, echo), plain, first,
      HTTPRequest(.delete, echo), HTTPRequest(.head, echo), first,
    ]
    for request in requests {
      let response = try await transport.send(request)
      #expect(response.fields["Seen"] == "\(request.method) /echo HTTP/1.1")
      let (isFirst, isPut) = (request.method == .post, request.method == .put)
      #expect(response.body == (isFirst ? Array("body".utf8) : []))
      #expect(response.fields["Seen-X-Secret"] == (isFirst ? "1" : nil))
      #expect(response.fields["Seen-Content-Type"] == (isFirst ? "text/plain" : nil))
      #expect(response.fields["Seen-Content-Length"] == (isFirst ? "4" : isPut ? "0" : nil))
      #expect((response.fields["Seen-Accept-Encoding"] != nil) == isFirst)
      #expect(response.fields["Seen-User-Agent"] == "tests/1")
      #expect(response.metrics.uploaded == (isFirst ? 4 : 0))
    }
  }

  @Test(
    "is replaced when its requests found their connections closed too often",
    arguments: ["reset", "close"])
  func closedConnections(way: String) async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    for number in 0..<20 {
      let body = Array("\(number)".utf8)
      let request = HTTPRequest(.put, try url(server, "once/\(way)"), body: .bytes(body))
      #expect(try await transport.send(request).body == body)
    }
  }

  @Test("repeats no request that is not idempotent more often than libcurl does")
  func closedConnectionsOfPosts() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    var errors: [TransportError.Code] = []
    for _ in 0..<20 {
      let request = HTTPRequest(.post, try url(server, "once/close"), body: .bytes([0x31]))
      do throws(TransportError) {
        _ = try await transport.send(request)
      } catch {
        errors.append(error.code)
      }
    }
    #expect(!errors.isEmpty && errors.allSatisfy { $0 == .connection })
  }

  @Test("measures each transfer for itself")
  func metrics() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    for number in 0..<3 {
      let response = try await transport.send(HTTPRequest(.get, try url(server, "bytes/100")))
      #expect(response.metrics.connections == (number == 0 ? 1 : 0))
      #expect(response.metrics.downloaded == 100)
      #expect(response.metrics.pins == .matched)
    }
  }

  @Test("refuses another host whose key is not pinned")
  func otherHost() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    for _ in 0..<2 {
      _ = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
      let address = try url(server, "hello", host: "127.0.0.1")
      let error = try await failure { () throws(TransportError) in
        try await transport.send(HTTPRequest(.get, address))
      }
      #expect(error.code == .notPinned)
    }
  }
}
