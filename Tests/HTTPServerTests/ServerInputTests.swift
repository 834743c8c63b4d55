import POSIX
import TestSupport

@testable import HTTPServer

@Suite struct ServerInputTests {
  private let limit = ServerExchange.limit

  private func input(_ count: Int) -> ServerExchange.Input {
    var input = ServerExchange.Input()
    // Pieces as they come from a connection.
    for start in stride(from: 0, to: count, by: 32 << 10) {
      let piece = (start..<min(count, start + 32 << 10)).map { UInt8(truncatingIfNeeded: $0) }
      piece.withUnsafeBytes { input.append($0) }
    }
    return input
  }

  private func read(_ input: inout ServerExchange.Input, _ count: Int) -> Int? {
    var buffer = [UInt8](repeating: 0, count: count)
    return buffer.withUnsafeMutableBytes { input.read(into: $0) }
  }

  /// Reads exactly that many bytes.
  private func skip(_ input: inout ServerExchange.Input, _ count: Int) {
    var left = count
    while left > 0, let taken = read(&input, min(left, 4096)), taken > 0 { left -= taken }
    #expect(left == 0)
  }

  @Test func aBodyIsStreamedIfItIsLongerThanWhatIsKeptAndNoMoreIsTakenThanTheLimitBeyond() {
    #expect(!input(limit).isStreamed)
    #expect(input(limit + 1).isStreamed)
    #expect(!input(limit + (64 << 10)).isFull)
    #expect(input(3 * limit).isFull)
  }

  @Test func aStreamIsRepeatableUntilMoreThanItsBeginningIsRead() {
    // The piece that exceeds the limit is kept too.
    let kept = limit + (32 << 10)
    var input = input(kept + (32 << 10))
    skip(&input, 1000)
    let isRewound = input.rewind()
    #expect(isRewound)
    skip(&input, kept)
    let isPromised = input.promiseRewind()
    #expect(isPromised)
    // The promise holds: nothing more is read before it is kept.
    let more = read(&input, 10)
    #expect(more == nil)
    let isKept = input.rewind()
    #expect(isKept)
    skip(&input, kept + (32 << 10))
    let isPromisedLate = input.promiseRewind()
    #expect(!isPromisedLate)
    let isRewoundLate = input.rewind()
    #expect(!isRewoundLate)
  }

  @Test func theEndComesOnlyOnceTheBodyIsComplete() {
    var input = input(limit + (32 << 10))
    skip(&input, limit + (32 << 10))
    let waits = read(&input, 10)
    #expect(waits == nil)
    input.isComplete = true
    let end = read(&input, 10)
    #expect(end == 0)
  }

  @Test(arguments: [false, true])
  func anExchangeKeepsNothingAfterItsEnd(isAborted: Bool) throws {
    // Its connection is not used.
    let exchange = ServerExchange(
      ServerConnection(raw: try #require(OpaquePointer(bitPattern: 8))), target: "/")
    var bytes: [UInt8] = [1]
    bytes.withUnsafeMutableBytes { bytes in
      let isKept = isAborted && exchange.proceed(UnsafeRawBufferPointer(bytes))
      if isKept { exchange.abort() } else { exchange.finish() }
      #expect(exchange.proceed(UnsafeRawBufferPointer(bytes)) != isAborted)
      guard isAborted else { return }
      #expect(!exchange.proceed(UnsafeRawBufferPointer(rebasing: bytes[..<0])))
      #expect(!exchange.write(UnsafeRawBufferPointer(bytes)))
      #expect(exchange.read(into: bytes) == nil)
    }
    if !isAborted, case .bytes = exchange.body { Issue.record("the body was kept") }
  }

  @Test func aBodyWaitsWhileMuchOfItIsNotReadAndTheBeginningOfAResponseStopsNothing() throws {
    let exchange = ServerExchange(
      ServerConnection(raw: try #require(OpaquePointer(bitPattern: 8))), target: "/")
    let full = input(3 * limit)
    exchange.state.withLock { ($0.connection, $0.input) = (nil, full) }
    let (goesOn, isWritten) = [UInt8(1)].withUnsafeBytes {
      (exchange.proceed($0), exchange.write($0))
    }
    #expect(goesOn && !exchange.hasTaken)
    #expect(isWritten && !exchange.gate.isSuspended)
  }

  @Test func aResponseThatFailsInTheMiddleIsCutOff() throws {
    let listener = try LoopbackSocket.listen(.v4)
    let served = OneShot<ServerExchange>()
    let server = try HTTPServer(on: listener.descriptor) { _ in
      .serve { exchange in
        exchange.begin(ServerReply(200), length: nil)
        _ = [UInt8(ascii: "a")].withUnsafeBytes { exchange.write($0) }
        served.set(exchange)
      }
    }
    let client = FileDescriptor(owning: try #require(LoopbackClient.connect(to: listener.port)))
    try client.write(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    var text = ""
    while !text.hasSuffix("a\r\n") {
      text += String(decoding: try client.read(upTo: 1000), as: UTF8.self)
    }
    served.value?.fail(with: ServerReply(500))
    #expect(client.receiveAll(limit: 1 << 10, within: .seconds(60)) == [])
    server.stop()
  }
}
