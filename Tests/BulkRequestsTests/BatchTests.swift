import CoreTestSupport

@testable import BulkRequests
@testable import SDKCore

@Suite("A batch")
struct BatchTests {
  /// Holds requests back until as many run as are expected to.
  final class Crowd: Transport {
    private let size: Int
    private let state = Mutex(State())

    private struct State {
      var running: [String: Int] = [:]
      var most: [String: Int] = [:]
      var urls: [String] = []
      var waiting: [OneShot<Bool>] = []
    }

    init(of size: Int) { self.size = size }

    /// The largest number of requests that ran at once to a host; the empty one is any host.
    func most(_ host: String = "") -> Int { state.withLock { $0.most[host] ?? 0 } }
    var urls: [String] { state.withLock { $0.urls } }

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      let gate = OneShot<Bool>()
      let free = state.withLock { state -> [OneShot<Bool>] in
        state.urls.append(request.url.description)
        for host in ["", request.url.host] {
          state.running[host, default: 0] += 1
          state.most[host] = max(state.most[host] ?? 0, state.running[host] ?? 0)
        }
        state.waiting.append(gate)
        guard state.waiting.count == size else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for gate in free { gate.set(true) }
      let isFree = await gate.wait() ?? false
      state.withLock { state in
        for host in ["", request.url.host] { state.running[host, default: 0] -= 1 }
      }
      if !isFree { throw TransportError(.cancelled, "cancelled") }
      return HTTPResponse(status: 200, url: request.url)
    }
  }

  /// The paths as items, one after the other.
  final class Paths: Sendable {
    private let paths: [String]
    private let rest: Mutex<[String]>
    init(_ paths: [String]) {
      self.paths = paths
      rest = Mutex(paths)
    }
    var left: Int { rest.withLock { $0.count } }

    func next() -> BatchItem? {
      rest.withLock { rest -> BatchItem? in
        if rest.isEmpty { return nil }
        let path = rest.removeFirst()
        return BatchItem(
          paths.count - rest.count, ResourceRequest("GET", path), as: .unauthenticated)
      }
    }
  }

  private static func session(_ transport: any Transport) throws -> ProfileSession {
    try World().session(transport: transport)
  }

  @Test("runs at most the allowed number of requests at once")
  func parallel() async throws {
    let crowd = Crowd(of: 3)
    let session = try Self.session(crowd)
    let paths = Paths((1...9).map { "/\($0)" })
    let numbers = Mutex<[Int]>([])
    await BatchRun(session, BatchOptions(parallel: 3)).run({ paths.next() }) { outcome in
      #expect((try? outcome.result.get())?.status == 200)
      numbers.withLock { $0.append(outcome.number) }
      return true
    }
    #expect(crowd.most() == 3)
    #expect(numbers.withLock { $0.sorted() } == Array(1...9))
  }

  @Test("reads only as far ahead as it needs, so that its memory does not grow")
  func readsAhead() async throws {
    let session = try Self.session(Crowd(of: 1))
    let paths = Paths((1...100).map { "/\($0)" })
    let least = Mutex(100)
    await BatchRun(session, BatchOptions(parallel: 2)).run({ paths.next() }) { _ in
      least.withLock { $0 = min($0, paths.left) }
      // Two may run and four may wait, beside those that have ended.
      return paths.left <= 100 - 1 - 2 - 4 ? false : true
    }
    #expect(paths.left >= 100 - 2 - 4 - 8)
  }

  @Test("starts nothing after its receiver has stopped it, and waits for running requests")
  func stops() async throws {
    let crowd = Crowd(of: 1)
    let session = try Self.session(crowd)
    let paths = Paths((1...50).map { "/\($0)" })
    let count = Mutex(0)
    await BatchRun(session, BatchOptions(parallel: 1)).run({ paths.next() }) { _ in
      count.withLock {
        $0 += 1
        return $0 < 5
      }
    }
    #expect(count.withLock { $0 } == 5)
    #expect(crowd.urls.count == 5)
  }

  @Test("does not wait for more input once it is stopped", .timeLimit(.minutes(10)))
  func stopsReading() async throws {
    let session = try Self.session(Crowd(of: 1))
    let paths = Paths(["/1"])
    let never = OneShot<Bool>()
    let ended = Atomic(0)
    await BatchRun(session).run({
      if let item = paths.next() { return item }
      await never.wait()
      return nil
    }) { _ in
      ended.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    let count = ended.load(ordering: .relaxed)
    #expect(count == 1)
  }

  @Test(
    "does not wait for more input once its receiver has stopped it while it waits",
    .timeLimit(.minutes(10)))
  func stopsWhileWaiting() async throws {
    let session = try Self.session(Crowd(of: 1))
    let paths = Paths(["/1", "/2"])
    let (waits, never) = (OneShot<Bool>(), OneShot<Bool>())
    let ended = Atomic(0)
    var options = BatchOptions(parallel: 2)
    options.runsAhead = true
    await BatchRun(session, options).run(
      groups: {
        if let item = paths.next() { return [item] }
        waits.set(true)
        await never.wait()
        return []
      }
    ) { _ in
      await waits.wait()
      ended.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    let count = ended.load(ordering: .relaxed)
    #expect(count >= 1)
    #expect(paths.left == 0)
  }

  @Test("keeps no request longer than it runs, so that its memory does not grow")
  func memory() async throws {
    let session = try Self.session(Crowd(of: 1))
    let bodies = Bodies()
    let number = Atomic(0)
    var options = BatchOptions(parallel: 10)
    options.runsAhead = true
    await BatchRun(session, options).run(
      groups: {
        (0..<32).compactMap { _ in
          let next = number.wrappingAdd(1, ordering: .relaxed).newValue
          if next > 3000 { return nil }
          let body = HTTPBody.stream(CountedBody(bodies), length: 0)
          return BatchItem(next, ResourceRequest("PUT", "/x", body: body), as: .unauthenticated)
        }
      }
    ) { outcomes in outcomes.allSatisfy { (try? $0.result.get()) != nil } }
    #expect(bodies.made == 3000)
    // Those that run, and twice as many that wait, beside a group that was read.
    #expect(bodies.most <= 10 + 20 + 32 + 32)
    #expect(bodies.alive == 0)
  }

  /// How many bodies of requests there are.
  final class Bodies: Sendable {
    private let counts = Mutex((made: 0, alive: 0, most: 0))
    var made: Int { counts.withLock { $0.made } }
    var alive: Int { counts.withLock { $0.alive } }
    var most: Int { counts.withLock { $0.most } }
    func add(_ change: Int) {
      counts.withLock { counts in
        counts.made += max(0, change)
        counts.alive += change
        counts.most = max(counts.most, counts.alive)
      }
    }
  }

  final class CountedBody: HTTPBodySource {
    private let bodies: Bodies
    init(_ bodies: Bodies) {
      self.bodies = bodies
      bodies.add(1)
    }
    deinit { bodies.add(-1) }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { 0 }
    func rewind() -> Bool { true }
  }

  @Test("ends what runs when it is cancelled, and reports it")
  func cancelled() async throws {
    let crowd = Crowd(of: 100)
    let session = try Self.session(crowd)
    let paths = Paths((1...9).map { "/\($0)" })
    let codes = Mutex<[SDKError.Code?]>([])
    let task = Task {
      await BatchRun(session, BatchOptions(parallel: 3)).run({ paths.next() }) { outcome in
        codes.withLock { codes in
          switch outcome.result {
          case .success: codes.append(nil)
          case .failure(let error): codes.append(error.code)
          }
        }
        return true
      }
    }
    while crowd.urls.count < 3 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(codes.withLock { $0 } == [.cancelled, .cancelled, .cancelled])
    #expect(crowd.urls.count == 3)
  }

  @Test("reports a request that is refused before it is sent, and goes on")
  func refused() async throws {
    let crowd = Crowd(of: 1)
    let session = try Self.session(crowd)
    let items = Mutex([
      BatchItem(1, ResourceRequest("TRACE", "/"), as: .unauthenticated),
      BatchItem(2, ResourceRequest("GET", "/"), as: .user),
      BatchItem(3, ResourceRequest("GET", "/"), as: .unauthenticated),
    ])
    let numbers = Mutex<[Int: Int]>([:])
    await BatchRun(session, BatchOptions(parallel: 1)).run({
      items.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }) { outcome in
      if case .failure(let error) = outcome.result {
        numbers.withLock { $0[outcome.number] = error.resource.number }
      }
      return true
    }
    #expect(numbers.withLock { $0 } == [1: 10_010, 2: 9010])
    #expect(crowd.urls.count == 1)
  }

  @Test("spreads the starts of its requests over the time of the rate")
  func rate() throws {
    let rate = try #require(RequestRate(10, per: .seconds(1)))
    var pacer = RequestPacer(rate)
    let start = ContinuousClock.now
    #expect(pacer.delay(at: start) == .zero)
    pacer.noteStart(at: start)
    #expect(pacer.delay(at: start) == .milliseconds(100))
    #expect(pacer.delay(at: start.advanced(by: .milliseconds(40))) == .milliseconds(60))
    // Time that passed without a start is not made up for.
    let late = start.advanced(by: .seconds(5))
    #expect(pacer.delay(at: late) == .zero)
    pacer.noteStart(at: late)
    #expect(pacer.delay(at: late) == .milliseconds(100))
    #expect(RequestRate(0, per: .seconds(1)) == nil)
    #expect(RequestRate(1, per: .zero) == nil)
  }

  @Test("waits for its rate between two requests")
  func paces() async throws {
    let world = try World()
    let pause = OneShot<Duration>()
    let session = try ProfileSession(
      world.name, in: world.store,
      pause: { length in
        pause.set(length)
        try await Task.sleep(for: .seconds(600))
      }, network: .scripted(Crowd(of: 1)))
    let paths = Paths(["/1", "/2"])
    let count = Mutex(0)
    let task = Task {
      await BatchRun(session, BatchOptions(rate: RequestRate(1, per: .seconds(3600))))
        .run({ paths.next() }) { _ in
          count.withLock { $0 += 1 }
          return true
        }
    }
    let length = await pause.waitRegardless() ?? .zero
    #expect(length > .seconds(3000) && length <= .seconds(3600))
    task.cancel()
    await task.value
    #expect(count.withLock { $0 } == 1)
  }
}
