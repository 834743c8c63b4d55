import CCurl
import Dispatch
import Glibc
import Pinning
import TestSupport

@testable import Curl

@Suite("The loop of transfers")
struct TransferLoopTests {
  @Test("ends, and all transfers with it, if libcurl cannot go on", arguments: [false, true])
  func broken(polls: Bool) async throws {
    try CurlLibrary.load()
    let driver = BrokenDriver(performs: polls)
    let loop = try TransferLoop.started(driving: driver)
    let transfer = try transfer()
    let result = await loop.run(transfer)
    #expect(throws: TransportError.broken) { try result.get() }
    #expect(driver.polls.load(ordering: .relaxed) == (polls ? 1 : 0))
    loop.stop()
  }

  @Test(
    "does not begin a transfer that was cancelled before, or that libcurl does not take",
    arguments: [(true, TransportError.cancelled), (false, .broken)])
  func refused(isCancelled: Bool, error: TransportError) async throws {
    try CurlLibrary.load()
    let driver = BrokenDriver(performs: true, adds: isCancelled)
    let loop = try TransferLoop.started(driving: driver)
    let transfer = try transfer()
    transfer.isCancelled.store(isCancelled, ordering: .relaxed)
    let result = await loop.run(transfer) { if !isCancelled { loop.stop() } }
    #expect(throws: error) { try result.get() }
    loop.stop()
  }

  @Test(
    "starts a suspended transfer again, once, if its connection was closed before, and the request can be repeated",
    arguments: [
      (HTTPMethod.get, HTTPBody.none, 2), (.put, .stream(CountedSource(1), length: 1), 1),
      (.post, .none, 1),
    ])
  func suspended(method: HTTPMethod, body: HTTPBody, starts: Int) async throws {
    try CurlLibrary.load()
    let driver = ClosingDriver()
    let loop = try TransferLoop.started(driving: driver)
    let transfer = try transfer(body, method: method)
    let result = await loop.run(transfer) {
      loop.pause(transfer, true)
      driver.close()
    }
    #expect(throws: TransportError.self) { try result.get() }
    #expect(transfer.isPaused)
    #expect(driver.added.load(ordering: .relaxed) == starts)
    loop.stop()
  }

  @Test("ends its transfers if it is stopped")
  func stopped() async throws {
    try CurlLibrary.load()
    let driver = ClosingDriver()
    let loop = try TransferLoop.started(driving: driver)
    let result = await loop.run(try transfer()) {
      loop.stop()
      driver.close()
    }
    #expect(throws: TransportError.cancelled) { try result.get() }
  }

  @Test("lets a body that is a stream be slow: the time of silence counts for other requests only")
  func idleTimeout() throws {
    let stream = HTTPBody.stream(CountedSource(1), length: nil)
    #expect(try transfer(.none).idleTimeout != nil)
    #expect(try transfer(stream).idleTimeout == nil)
  }

  private func transfer(
    _ body: HTTPBody = .none, method: HTTPMethod = .post
  ) throws -> Transfer {
    var configuration = TransportConfiguration(
      pins: PinSets([]), userAgent: "tests/1", now: { testTime })
    configuration.idleTimeout = .seconds(60)
    return Transfer(
      HTTPRequest(method, try HTTPURL("https://localhost/"), body: body),
      receiver: .collect(limit: 0), check: nil, configuration: configuration, connectsOnly: false)
  }
}

extension TransferLoopTests {
  @Test("runs on the thread of tasks that begins it, and on one of its own after that has ended")
  func taskThread() async throws {
    let server = try LoopbackServer()
    let transport = try CurlTests.transport()
    let url = try url(server, "hello")
    let sink = ThreadSink()
    let thread = await TaskThread.run {
      _ = try? await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
      return UInt(pthread_self())
    }
    #expect(sink.threads == [thread])
    let response = try await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
    #expect(response.status == 200)
    #expect(sink.threads.count == 2)
  }

  @Test("has a thread of its own from the start if it begins on any other thread")
  func ownThread() async throws {
    let server = try LoopbackServer()
    let transport = try CurlTests.transport()
    let url = try url(server, "hello")
    let sink = ThreadSink()
    for _ in 0..<2 {
      _ = try await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
    }
    let thread = await TaskThread.run {
      _ = try? await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
      return UInt(pthread_self())
    }
    #expect(sink.threads.count == 1 && !sink.threads.contains(thread))
  }
}

extension TransferLoop {
  /// Begins a transfer, does more, and waits for the end of the transfer.
  func run(
    _ transfer: Transfer, and more: () -> Void = {}
  ) async -> Result<HTTPResponse, TransportError> {
    await withCheckedContinuation { continuation in
      transfer.continuation = continuation
      add(transfer)
      more()
    }
  }
}

/// Notes on which threads responses arrive.
private final class ThreadSink: HTTPBodySink {
  private let found = Mutex<Set<UInt>>([])

  var threads: Set<UInt> { found.withLock { $0 } }

  func begin(_ response: HTTPResponse) -> Bool {
    _ = found.withLock { $0.insert(UInt(pthread_self())) }
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}

/// A driver that takes no transfer, or, once it has one, cannot perform, or cannot wait.
private final class BrokenDriver: TransferDriver {
  let polls = Atomic(0)
  private let performs: Bool
  private let adds: Bool
  private let hasTransfer = Atomic(false)
  private let mail = DispatchSemaphore(value: 0)

  init(performs: Bool, adds: Bool = true) {
    self.performs = performs
    self.adds = adds
  }

  func add(_ easy: EasyHandle) -> Bool {
    hasTransfer.store(adds, ordering: .relaxed)
    return adds
  }

  func remove(_ easy: EasyHandle) {}

  func perform() -> Bool { performs || !hasTransfer.load(ordering: .relaxed) }

  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? { nil }

  func poll(also descriptors: [Int32]) -> [Int32]? {
    if hasTransfer.load(ordering: .relaxed) {
      polls.add(1, ordering: .relaxed)
      return nil
    }
    mail.wait()
    return []
  }

  func wakeup() { mail.signal() }
}

/// Ends each transfer as if its connection, which had served others, had been closed.
// Sendable: the handle is used on the loop's thread.
private final class ClosingDriver: TransferDriver, @unchecked Sendable {
  let added = Atomic(0)
  private var handle: UnsafeMutableRawPointer?
  private let closes = Atomic(false)
  private var hasPolled = false
  private var rounds = 0
  private let mail = DispatchSemaphore(value: 0)

  /// Closes the connections from now on.
  func close() {
    closes.store(true, ordering: .sequentiallyConsistent)
    wakeup()
  }

  func add(_ easy: EasyHandle) -> Bool {
    added.add(1, ordering: .relaxed)
    handle = easy.raw
    return true
  }

  func remove(_ easy: EasyHandle) {}

  /// Bounded, for a loop that does not wait.
  func perform() -> Bool {
    rounds += 1
    return rounds < 1000
  }

  /// Not before the loop has taken all commands that came before ``close()``.
  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    guard hasPolled, let handle else { return nil }
    self.handle = nil
    return (handle, CURLE_RECV_ERROR)
  }

  func poll(also descriptors: [Int32]) -> [Int32]? {
    if handle == nil || !closes.load(ordering: .sequentiallyConsistent) { mail.wait() }
    hasPolled = closes.load(ordering: .sequentiallyConsistent)
    return []
  }

  func wakeup() { mail.signal() }
}
