import CoreTestSupport

@testable import SDKCore

@Suite("The limits of payload encryption")
struct PayloadLimitTests {
  /// Notes how much of a response is wanted.
  private final class Limits: Transport {
    private let inner: any Transport
    private let seen = Mutex<[Int]>([])
    var limits: [Int] { seen.withLock { $0 } }

    init(_ inner: any Transport) { self.inner = inner }

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      if case .collect(let limit) = body { seen.withLock { $0.append(limit) } }
      return try await inner.send(request, receiving: body)
    }
  }

  /// A body of as many bytes, which are made as they are read.
  private final class Zeros: HTTPBodySource {
    private let left: Mutex<Int>
    init(_ count: Int) { left = Mutex(count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      left.withLock { left in
        let count = min(left, buffer.count)
        left -= count
        return count
      }
    }

    func rewind() -> Bool { false }
  }

  private static func send(
    _ reply: PayloadEncryptionTests.Gateway.Reply, body: HTTPBody = .none,
    receiving receiver: HTTPBodyReceiver = .collect(limit: 1 << 20)
  ) async throws -> (response: HTTPResponse, limits: [Int], count: Int) {
    let gateway = try PayloadEncryptionTests.Gateway()
    gateway.reply(reply)
    let limits = Limits(gateway)
    let key = try #require(gateway.key.publicKey)
    let transport = EncryptedTransport(
      transport: limits, key: key, now: { World.now }, deadline: nil)
    let request = HTTPRequest(.put, try HTTPURL("https://api.test/x"), body: body)
    let response = try await transport.send(request, receiving: receiver)
    return (response, limits.limits, gateway.requests.count)
  }

  @Test(
    "A response has a status of a final response",
    arguments: [
      (0, false), (199, false), (200, true), (404, true), (599, true), (600, false), (-200, false),
    ])
  func status(status: Int, isAccepted: Bool) async throws {
    let sent = try? await Self.send(.answer(status: status, body: ""))
    #expect(sent?.response.status == (isAccepted ? status : nil))
  }

  @Test("A response is not larger than the caller wants, nor its message than 32 MiB")
  func response() async throws {
    let sent = try await Self.send(
      .answer(status: 200, body: "four"), receiving: .collect(limit: 4))
    #expect(sent.response.body.count == 4 && sent.limits == [32 << 20])
    let error = await #expect(throws: TransportError.self) {
      try await Self.send(.answer(status: 200, body: "fives"), receiving: .collect(limit: 4))
    }
    #expect(error?.code == .tooLarge)
  }

  /// Refuses a response, or what comes of its body.
  private final class RefusingSink: HTTPBodySink {
    let takesHead: Bool
    init(takesHead: Bool) { self.takesHead = takesHead }
    func begin(_ response: HTTPResponse) -> Bool { takesHead }
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
  }

  @Test("A response that the caller refuses ends the request", arguments: [true, false])
  func refused(takesHead: Bool) async throws {
    for body in ["four", ""] {
      let sink = RefusingSink(takesHead: takesHead)
      do {
        let sent = try await Self.send(.answer(status: 200, body: body), receiving: .sink(sink))
        #expect(takesHead && body.isEmpty && sent.response.status == 200)
      } catch {
        #expect(!takesHead || !body.isEmpty)
        #expect((error as? TransportError)?.code == .responseBodyRefused)
      }
    }
  }

  @Test("A request that is read as a stream has at most 16 MiB", arguments: [0, 1])
  func request(excess: Int) async throws {
    let body = HTTPBody.stream(Zeros(16 << 20 + excess), length: nil)
    let error = await #expect(throws: TransportError.self) {
      try await Self.send(.answer(status: 200, body: ""), body: body)
    }
    // The gateway of this test takes no message of this size.
    #expect(error?.code == (excess == 0 ? .connection : .requestBodyFailed))
    #expect(error?.message.contains("larger than 16777216 bytes") == (excess > 0))
  }

  @Test(
    "The header fields of a response are pairs of texts that can stand in a header",
    arguments: [
      ([["X-A", "b"]], true), ([["X-A"]], false), ([["X-A", "b", "c"]], false),
      ([["X A", "b"]], false), ([["X-A", "b\r\nc"]], false),
    ])
  func fields(fields: [[String]], isAccepted: Bool) async throws {
    let sent = try? await Self.send(.answer(status: 200, body: "", fields: fields))
    #expect((sent != nil) == isAccepted)
  }
}
