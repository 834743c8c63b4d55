import TestSupport

@testable import Curl

@Suite("A body that comes slowly")
struct SlowBodyTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTests.transport()
  }

  private func send(_ source: SlowSource, timeout: Duration? = nil) -> Task<HTTPResponse, any Error>
  {
    Task {
      try await transport.send(
        HTTPRequest(
          .post, try url(server, "echo"),
          body: .stream(source, length: nil), timeout: timeout))
    }
  }

  @Test("does not block other transfers, and is sent as it arrives")
  func others() async throws {
    let source = try SlowSource()
    let slow = send(source)
    source.feed("one ")
    while try await server.nextLine() != "request POST /echo HTTP/1.1" {}
    for _ in 0..<3 {
      let other = try await transport.send(HTTPRequest(.get, try url(server, "hello")))
      #expect(other.status == 200)
    }
    source.feed("two")
    source.end()
    #expect(try await slow.value.body == Array("one two".utf8))
  }

  @Test("ends with the request's limit")
  func limit() async throws {
    let source = try SlowSource()
    source.feed("begun")
    do {
      _ = try await send(source, timeout: .milliseconds(300)).value
      Issue.record("the body has no end")
    } catch let error as TransportError {
      #expect(error.code == .timeout)
      #expect(error.message == "the request's body did not come to its end within 0.3 seconds")
    }
  }
}

/// A body that a test gives out piece by piece.
private final class SlowSource: HTTPBodySource {
  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  private let pipe: WakePipe
  private let state = Mutex(State())

  init() throws { pipe = try WakePipe() }

  func feed(_ text: String) {
    state.withLock { $0.bytes += text.utf8 }
    pipe.signal()
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    pipe.signal()
  }

  var awaitedDescriptor: Int32? { pipe.descriptor }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    state.withLock { state in
      // A real source would block here.
      guard !state.bytes.isEmpty || state.hasEnded else { return nil }
      let count = min(buffer.count, state.bytes.count)
      buffer.copyBytes(from: state.bytes[..<count])
      state.bytes.removeFirst(count)
      if !state.hasEnded, state.bytes.isEmpty { pipe.drain() }
      return count
    }
  }

  func rewind() -> Bool { false }
}
