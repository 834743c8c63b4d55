import TestSupport

@testable import Curl

@Suite struct ResponseReaderTests {
  @Test func takesAHeadApart() throws {
    var reader = try reader()
    for line in [
      "HTTP/1.1 200 OK\r\n", "X-One:  a\t \r\n", "X-Folded: a\r\n", "  b\r\n", "X-Empty:\r\n",
      "X-Mark:\u{301}\r\n", "\r\n",
    ] {
      #expect(!reader.isHeadComplete)
      let isTaken = reader.take(line)
      #expect(isTaken)
    }
    #expect(reader.isHeadComplete)
    let response = try reader.result.get()
    #expect(response.status == 200)
    #expect(response.version == "HTTP/1.1")
    #expect(response.reason == "OK")
    #expect(
      response.fields.map(\.description) == [
        "X-One: a", "X-Folded: a b", "X-Empty: ", "X-Mark: \u{301}",
      ])
    #expect(response.reason == "OK")
    #expect(reader.response.statusLine == "HTTP/1.1 200 OK")
  }

  @Test func takesLinesApartThatComeTogether() throws {
    let reader = try reader(after: ["HTTP/1.1 200 OK\r\n", "X-One: a\r\nX-Two: b\r\n\r\n"])
    #expect(reader.isHeadComplete)
    #expect(try reader.result.get().fields.map(\.description) == ["X-One: a", "X-Two: b"])
  }

  @Test func keepsTheLastHeadOnly() throws {
    let reader = try reader(after: [
      "HTTP/1.1 100 Continue\r\n", "X-Early: 1\r\n", "\r\n", "HTTP/2 204 \r\n", "\r\n",
    ])
    let response = try reader.result.get()
    #expect(response.status == 204)
    #expect(response.version == "HTTP/2")
    #expect(!response.fields.contains("X-Early"))
  }

  @Test(arguments: [
    ["HTTP/1.1\r\n"], ["HTTP/1.1 20 OK\r\n"], ["HTTP/1.1 abc OK\r\n"], ["HTTP/1.1 -20 OK\r\n"],
    ["HTTP/1.1 020 OK\r\n"], ["HTTP/1.1 200 OK\r\n", "Content-Length: 1x\r\n", "\r\n"],
    ["HTTP/1.1 200 OK\r\n", "Content-Length: ,\r\n", "\r\n"],
    ["HTTP/1.1 200 OK\r\n", "no colon\r\n"], ["HTTP/1.1 200 OK\r\n", "a b: c\r\n", "\r\n"],
    ["HTTP/1.1 200 OK\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: Chunked\r\n", "\r\n"],
    ["HTTP/1.1 200 OK\r\n", "a: b\u{1}\r\n", "\r\n"], ["HTTP/1.1 200 OK\r\n", ": c\r\n", "\r\n"],
  ])
  func refusesWhatIsNoHead(lines: [String]) throws {
    var reader = try reader()
    let accepted = lines.map { reader.take($0) }
    #expect(accepted.last == false)
    #expect(reader.failure?.code == .malformed)
  }

  @Test(arguments: [
    (["HTTP/1.1 200 OK\r\n"], TransportError.Code.connection),
    (["HTTP/1.1 200 OK\r\n", "X: 1\r\n"], .connection),
    (["HTTP/1.1 206 Part\r\n", "Content-Range: bytes 0-4/9\r\n", "\r\n"], .connection),
    (["HTTP/1.1 101 Switching\r\n", "\r\n"], .malformed), ([], .malformed),
  ])
  func knowsAHeadThatEndsTooEarly(lines: [String], code: TransportError.Code) throws {
    let reader = try reader(after: lines)
    let error = #expect(throws: TransportError.self) { try reader.result.get() }
    #expect(error?.code == code)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", false), ("HTTP/1.1 204 Empty\r\n", true),
    ("HTTP/1.0 200 OK\r\n", true), ("HTTP/2 200 OK\r\n", true),
  ])
  func needsTheEndOfTLSIfNothingElseEndsTheBody(line: String, isComplete: Bool) throws {
    var reader = try reader(after: [line, "\r\n"])
    reader.isEndAnnounced = false
    let response = try? reader.result.get()
    #expect((response != nil) == isComplete)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 \r\n", ""), ("HTTP/1.1 200\r\n", ""),
    ("HTTP/1.1 404 Not Found\r\n", "Not Found"),
    ("HTTP/2 200 \r\n", ""),
  ])
  func readsTheReasonPhrase(line: String, reason: String) throws {
    #expect(try reader(after: [line, "\r\n"]).result.get().reason == reason)
  }

  @Test(arguments: [true, false])
  func aResponseOfHTTP2OnAnUnencryptedConnectionIsRefused(isMultiplexed: Bool) throws {
    var reader = try reader()
    reader.isMultiplexed = isMultiplexed
    let isTaken = reader.take("HTTP/2 200 OK\r\n")
    #expect(isTaken == isMultiplexed)
    #expect(reader.failure?.code == (isMultiplexed ? nil : .malformed))
  }

  @Test func countsTrailersAsHead() throws {
    var reader = try reader()
    let limit = ResponseReader.headLimit
    let filling = "X: " + String(repeating: "x", count: limit - 19 - 5) + "\r\n"
    let taken = ["HTTP/1.1 200 OK\r\n", "\r\n", filling, "\n"].map { reader.take($0) }
    #expect(taken == [true, true, true, false])
    #expect(reader.failure?.code == .tooLarge)
  }

  @Test func countsTheLinesOfHeaderAndTrailers() throws {
    var reader = try reader()
    let rest = Array(repeating: "X: y\r\n", count: ResponseReader.lineLimit - 2)
    let taken = (["HTTP/1.1 200 OK\r\n", "\r\n"] + rest).map { reader.take($0) }
    #expect(taken.allSatisfy { $0 })
    let isTaken = reader.take("X: y\r\n")
    #expect(!isTaken)
    #expect(reader.failure?.code == .tooLarge)
    #expect(reader.failure?.message == "the response has more than 4096 header lines")
  }

  @Test func aRefusedExpectationIsReplacedByTheResponseToTheSecondRequest() throws {
    let sink = Statuses()
    var reader = ResponseReader(url: try HTTPURL("https://localhost/"), receiver: .sink(sink))
    let first = ["HTTP/1.1 417 No\r\n", "X-First: 1\r\n", "\r\n"].map { reader.take($0) }
    #expect(sink.all.isEmpty)
    let second = ["HTTP/1.1 200 OK\r\n", "X-Second: 1\r\n", "\r\n"].map { reader.take($0) }
    #expect(first + second == Array(repeating: true, count: 6))
    #expect(sink.all == [200])
    #expect(try reader.result.get().fields.map(\.name) == ["X-Second"])
  }

  @Test(arguments: [false, true])
  func aRefusedExpectationIsDeliveredIfNothingFollows(hasBody: Bool) throws {
    let sink = Statuses()
    var reader = ResponseReader(url: try HTTPURL("https://localhost/"), receiver: .sink(sink))
    var taken = ["HTTP/1.1 417 No\r\n", "\r\n"].map { reader.take($0) }
    taken.append(hasBody ? reader.receiveBody(UnsafeRawBufferPointer(start: nil, count: 0)) : true)
    taken.append(reader.end())
    #expect(sink.all == [417])
    // A line of the trailers is no second response.
    taken.append(reader.take("HTTP/1.1 200 OK\r\n"))
    #expect(taken == Array(repeating: true, count: 5))
    #expect(try reader.result.get().status == 417)
  }

  @Test func aSinkThatDoesNotWantTheResponseGetsNoBody() throws {
    let sink = Statuses(wants: false)
    var reader = ResponseReader(url: try HTTPURL("https://localhost/"), receiver: .sink(sink))
    let taken = ["HTTP/1.1 417 No\r\n", "\r\n"].map { reader.take($0) }
    let isTaken = reader.receive("body")
    #expect(taken + [isTaken] == [true, true, false])
    #expect(reader.failure?.code == .responseBodyRefused)
    #expect(sink.all == [417])
  }

  @Test(arguments: [("01234", true), ("012345", false), ("0123", true)])
  func aBodyHasTheLengthOfItsRange(body: String, isTaken: Bool) throws {
    var reader = try reader(after: [
      "HTTP/1.1 206 Part\r\n", "Content-Range: bytes 0-4/9\r\n", "\r\n",
    ])
    let taken = [reader.receive("0"), reader.receive(String(body.dropFirst()))]
    #expect(taken == [true, isTaken])
    #expect(reader.failure?.code == (isTaken ? nil : .malformed))
    #expect((try? reader.result.get()) != nil || body.count != 5)
  }

  @Test(arguments: [true, false])
  func aCompressedBodyIsDecodedIfThatIsWanted(decodes: Bool) throws {
    try CurlLibrary.load()
    var reader = ResponseReader(
      url: try HTTPURL("https://localhost/"), receiver: .collect(limit: 100),
      decodesContent: decodes)
    _ = ["HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip\r\n", "\r\n"].map { reader.take($0) }
    let hello = ContentDecoderTests.hello
    let isTaken = hello.dropLast().withUnsafeBytes { reader.receiveBody($0) }
    #expect(isTaken)
    // It is complete with its last byte.
    #expect((try? reader.result.get()) == nil || !decodes)
    _ = hello.suffix(1).withUnsafeBytes { reader.receiveBody($0) }
    #expect(try reader.result.get().body == (decodes ? Array("hello".utf8) : hello))
  }

  @Test func whatFollowsAChangeOfProtocolIsNoBody() throws {
    var reader = try reader(after: ["HTTP/1.1 101 Switching\r\n", "\r\n"])
    let isTaken = reader.receiveBody(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(!isTaken)
    #expect(reader.failure?.code == .malformed)
  }

  @Test func aResponseWithoutHeadIsNone() throws {
    #expect(throws: TransportError.self) { try reader().result.get() }
  }

  @Test(
    arguments: [
      (.zero, 1), (.nanoseconds(1), 1), (.milliseconds(1500), 1500), (.seconds(30), 30_000),
      (.seconds(Int64.max), 1_000_000_000_000),
    ] as [(Duration, Int)])
  func durationsAreWholeMilliseconds(duration: Duration, milliseconds: Int) {
    #expect(duration.milliseconds == milliseconds)
  }

  /// A reader that has taken these lines.
  private func reader(after lines: [String] = []) throws -> ResponseReader {
    var reader = ResponseReader(
      url: try HTTPURL("https://localhost/"), receiver: .collect(limit: 10))
    let taken = lines.map { reader.take($0) }
    #expect(taken.allSatisfy { $0 })
    return reader
  }
}

extension ResponseReader {
  fileprivate mutating func take(_ line: String) -> Bool {
    Array(line.utf8).withUnsafeBytes { receiveLines($0) }
  }

  fileprivate mutating func receive(_ body: String) -> Bool {
    Array(body.utf8).withUnsafeBytes { receiveBody($0) }
  }
}

/// Notes the status of each response.
private final class Statuses: HTTPBodySink {
  private let wants: Bool
  init(wants: Bool = true) { self.wants = wants }
  private let list = Mutex<[Int]>([])
  var all: [Int] { list.withLock { $0 } }
  func begin(_ response: HTTPResponse) -> Bool {
    list.withLock { $0.append(response.status) }
    return wants
  }
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}
