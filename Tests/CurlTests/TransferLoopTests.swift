import CCurl
import Dispatch
import Glibc
import HTTP
import POSIX
import Pinning
import Primitives
import Synchronization
import Testing

@testable import Curl

@Suite("The loop of transfers")
struct TransferLoopTests {
  @Test("ends, and all transfers with it, if libcurl cannot go on", arguments: [false, true])
  func broken(polls: Bool) async throws {
    try CurlLibrary.load()
    let driver = BrokenDriver(performs: polls)
    let loop = try TransferLoop.started(driving: driver)
    let transfer = try transfer()
    let result = await withCheckedContinuation { continuation in
      transfer.continuation = continuation
      loop.add(transfer)
    }
    #expect(throws: TransportError.broken) { try result.get() }
    #expect(driver.polls.load(ordering: .relaxed) == (polls ? 1 : 0))
    loop.stop(waits: true)
  }

  @Test(
    "starts more than 24 transfers of a limit only when nothing else is to be done",
    .timeLimit(.minutes(1)))
  func busy() async throws {
    try CurlLibrary.load()
    let driver = BusyDriver()
    let loop = try TransferLoop.started(driving: driver)
    let limit = TransferLimit(30)
    let results = try await withThrowingTaskGroup { group in
      for _ in 0..<40 {
        let transfer = try transfer(TransferTurn(limit))
        group.addTask {
          await withCheckedContinuation { continuation in
            transfer.continuation = continuation
            loop.add(transfer)
          }
        }
      }
      await driver.wait { $0.transfers >= 24 }
      let polls = driver.state.polls
      await driver.wait { $0.polls > polls + 10 }
      #expect(driver.state.transfers == 24 && limit.isReached)
      #expect(driver.state.lastWait == .zero)
      driver.setIdle()
      await driver.wait { $0.transfers >= 30 }
      #expect(limit.isFull)
      await driver.wait { $0.lastWait > .zero }
      loop.stop(waits: true)
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 40)
    for result in results { #expect(throws: TransportError.shutDown) { try result.get() } }
    // The limit stays raised.
    for _ in 0..<29 { limit.noteStart() }
    #expect(!limit.isReached)
  }

  private func transfer(_ turn: TransferTurn? = nil) throws -> Transfer {
    var request = HTTPRequest(.get, try HTTPURL("https://localhost/"))
    request.turn = turn
    return Transfer(
      request, receiver: .collect(limit: 0), check: nil,
      configuration: Shared(
        TransportConfiguration(pins: PinSets([]), userAgent: "tests/1", now: { testTime })),
      connectsOnly: false)
  }
}

extension TransferLoopTests {
  @Test("runs on the thread of tasks that begins it, and on one of its own after that has ended")
  func taskThread() async throws {
    let server = try LoopbackServer()
    let transport = try CurlTests.transport()
    let url = try url(server, "hello")
    let sink = ThreadSink()
    let thread = await TaskThread.run(whenIdle: { nil }) {
      _ = try? await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
      return UInt(pthread_self())
    }
    #expect(sink.threads == [thread])
    let response = try await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
    #expect(response.status == 200)
    #expect(sink.threads.count == 2)
    transport.shutdown()
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
    let thread = await TaskThread.run(whenIdle: { nil }) {
      _ = try? await transport.send(HTTPRequest(.get, url), receiving: .sink(sink))
      return UInt(pthread_self())
    }
    #expect(sink.threads.count == 1 && !sink.threads.contains(thread))
    transport.shutdown()
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

/// A driver that, once it has a transfer, cannot perform, or cannot wait.
private final class BrokenDriver: TransferDriver {
  let polls = Atomic(0)
  private let performs: Bool
  private let hasTransfer = Atomic(false)
  private let mail = DispatchSemaphore(value: 0)

  init(performs: Bool) { self.performs = performs }

  func add(_ easy: EasyHandle) -> Bool {
    hasTransfer.store(true, ordering: .relaxed)
    return true
  }

  func remove(_ easy: EasyHandle) {}

  func perform() -> Bool { performs || !hasTransfer.load(ordering: .relaxed) }

  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? { nil }

  func poll(atMost time: Duration, also descriptors: [Int32]) -> ReadySockets? {
    if hasTransfer.load(ordering: .relaxed) {
      polls.add(1, ordering: .relaxed)
      return nil
    }
    mail.wait()
    return ReadySockets(count: 0, descriptors: [])
  }

  func wakeup() { mail.signal() }
}

/// A driver whose transfers do not end, and have something to do until it is set idle.
private final class BusyDriver: TransferDriver {
  struct State {
    var transfers = 0
    var polls = 0
    var isIdle = false
    /// How long the last wait might have been.
    var lastWait = Duration.zero
  }

  private let counts = Mutex(State())

  var state: State { counts.withLock { $0 } }

  func setIdle() { counts.withLock { $0.isIdle = true } }

  /// Waits until the condition holds.
  func wait(for condition: (State) -> Bool) async {
    while !condition(state), !Task.isCancelled { await Task.yield() }
  }

  func add(_ easy: EasyHandle) -> Bool {
    counts.withLock { $0.transfers += 1 }
    return true
  }

  func remove(_ easy: EasyHandle) {}

  func perform() -> Bool { true }

  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? { nil }

  func poll(atMost time: Duration, also descriptors: [Int32]) -> ReadySockets? {
    usleep(1000)
    return counts.withLock { state in
      state.polls += 1
      state.lastWait = time
      return ReadySockets(count: state.isIdle ? 0 : 1, descriptors: [])
    }
  }

  func wakeup() {}
}
