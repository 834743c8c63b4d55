import Foundation
import TestSupport

@testable import Curl

@Suite struct ExchangeTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer.shared.get()
    transport = try CurlTests.transport()
  }

  @Test func getsAResponseUnmapped() async throws {
    let address = try url(server, "hello")
    let response = try await transport.send(HTTPRequest(.get, address))
    #expect(response.status == 200)
    #expect(response.version == "HTTP/1.1")
    #expect(response.body == Array("hello\n".utf8))
    #expect(response.fields.values(of: "x-two") == ["1", "2"])
    #expect(response.fields["X-Latin"] == "café")
    #expect(response.url == address)
  }

  @Test func keepsNoCookie() async throws {
    _ = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
    let response = try await transport.send(HTTPRequest(.get, try url(server, "echo")))
    #expect(!response.fields.contains("Seen-Cookie"))
  }

  @Test(arguments: [
    ("GET", HTTPBody.none, nil), ("POST", .none, "0"), ("PUT", .none, "0"), ("PATCH", .none, "0"),
    ("DELETE", .none, nil), ("OPTIONS", .none, nil), ("POST", .bytes([]), "0"),
    ("POST", .bytes(Array("a=b".utf8)), "3"), ("PUT", .bytes([0, 1, 255]), "3"),
    ("DELETE", .bytes([1]), "1"), ("GET", .bytes([1, 2]), "2"), ("PURGE", .bytes([9]), "1"),
    ("POST", .bytes([UInt8](repeating: 7, count: 3 << 20)), "3145728"),
  ])
  func sendsMethodAndBody(method: String, body: HTTPBody, length: String?) async throws {
    let request = HTTPRequest(
      try #require(HTTPMethod(method)), try url(server, "echo/a%20b?c=d"), body: body)
    let response = try await transport.send(request, limit: 4 << 20)
    #expect(response.fields["Seen"] == "\(method) /echo/a%20b?c=d HTTP/1.1")
    #expect(response.fields["Seen-Content-Length"] == length)
    #expect(!response.fields.contains("Seen-Content-Type"))
    #expect(!response.fields.contains("Seen-Transfer-Encoding"))
    if case .bytes(let bytes) = body { #expect(response.body == bytes) }
  }

  @Test func sendsFieldsAsTheyAre() async throws {
    let fields: HTTPFields = [
      try HTTPField("X-One", "a b"), try HTTPField("X-Empty", ""),
      try HTTPField("Content-Type", "application/json"),
    ]
    let response = try await transport.send(
      HTTPRequest(.post, try url(server, "echo"), fields: fields, body: .bytes([0x7B, 0x7D])))
    #expect(response.fields["Seen-X-One"] == "a b")
    #expect(response.fields["Seen-X-Empty"] == "")
    #expect(response.fields["Seen-Content-Type"] == "application/json")
    #expect(response.fields["Seen-User-Agent"] == "tests/1")
    #expect(response.fields["Seen-Host"] == "localhost:\(server.port)")
    #expect(response.fields["Seen-Accept-Encoding"] == "identity")
    #expect(!response.fields.contains("Seen-Expect"))
    #expect(!response.fields.contains("Seen-Authorization"))
  }

  @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection", "Upgrade"])
  func refusesFieldsOfTheFrame(name: String) async throws {
    let request = HTTPRequest(.get, try url(server, "hello"), fields: [try HTTPField(name, "1")])
    let error = try await transport.failure(of: request)
    #expect(error.code == .refused)
    #expect(error.message.lowercased().contains(name.lowercased()))
  }

  @Test func headBringsFieldsAndNoBody() async throws {
    let response = try await transport.send(HTTPRequest(.head, try url(server, "bytes/500")))
    #expect(response.status == 200)
    #expect(response.fields["Content-Length"] == "500")
    #expect(response.body.isEmpty)
  }

  @Test(arguments: [204, 302, 401, 404, 503])
  func anyStatusIsAResponse(status: Int) async throws {
    let response = try await transport.send(HTTPRequest(.get, try url(server, "status/\(status)")))
    #expect(response.status == status)
  }

  @Test func followsNoRedirect() async throws {
    let response = try await transport.send(HTTPRequest(.get, try url(server, "redirect")))
    #expect(response.status == 302)
    #expect(response.fields["Location"] == "/hello")
    #expect(response.body == Array("elsewhere".utf8))
  }

  @Test func passesOverInterimAnswers() async throws {
    let text =
      "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
      + "HTTP/1.1 200 OK\r\nX-Late: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n"
    let hexadecimal = text.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    let sink = CountingSink()
    let response = try await transport.send(
      HTTPRequest(.get, try url(server, "raw/\(hexadecimal)")), receiving: .sink(sink))
    #expect(response.status == 200)
    #expect(response.fields["X-Late"] == "1")
    #expect(!response.fields.contains("X-Early"))
    #expect(!response.fields.contains("X-Trailer"))
    #expect(sink.begun.map(\.status) == [200])
    #expect(sink.count == 3)
  }

  @Test func streamsDownIntoASink() async throws {
    let sink = CountingSink()
    let response = try await transport.send(
      HTTPRequest(.get, try url(server, "bytes/\(64 << 20)")), receiving: .sink(sink))
    #expect(sink.count == 64 << 20)
    #expect(sink.begun.map(\.status) == [200])
    #expect(response.body.isEmpty)
  }

  @Test(
    arguments: [
      (0, nil), (0, 0), (5, 5), (5, nil), (3 << 20, nil), (3 << 20, 3 << 20), (9, 5),
    ] as [(Int, Int64?)])
  func streamsUpFromASource(available: Int, announced: Int64?) async throws {
    let request = HTTPRequest(
      .put, try url(server, "count"), body: .stream(CountedSource(available), length: announced))
    let response = try await transport.send(request)
    #expect(String(decoding: response.body, as: UTF8.self) == "\(announced ?? Int64(available))")
  }

  @Test(arguments: [(5, 6, false), (5, nil, true), (0, 1, true)] as [(Int, Int64?, Bool)])
  func aSourceThatFailsEndsTheTransfer(count: Int, announced: Int64?, fails: Bool) async throws {
    let source = CountedSource(count, failsAtEnd: fails)
    let request = HTTPRequest(
      .post, try url(server, "count"), body: .stream(source, length: announced))
    let error = try await transport.failure(of: request)
    #expect(error.code == .requestBodyFailed)
  }
}
