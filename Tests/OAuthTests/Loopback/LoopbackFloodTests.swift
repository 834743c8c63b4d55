import Glibc
import TestSupport

@testable import OAuth

@Suite(.timeLimit(.minutes(10))) struct LoopbackFloodTests {
  @Test(arguments: [
    ("GET /" + String(repeating: "a", count: 1 << 20), 414),
    ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 1 << 20), 431),
    ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 4000) + "\r\n", 431),
  ])
  func anEndlessRequestIsCutOff(request: String, status: Int) async throws {
    let login = try Login(limits: Self.standing)
    #expect(await BrowserStub.ask(login.port, request)?.status == status)
    #expect(await login.decide() != nil)
  }

  @Test func aLongButAllowedQueryIsTaken() async throws {
    let login = try Login(limits: Self.standing)
    let query = "state=right&code=" + String(repeating: "c", count: 15_000)
    #expect(await BrowserStub.get(login.port, "/callback?\(query)")?.status == 303)
    #expect(try await login.result().get().parameters == query)
  }

  @Test func aThousandSilentConnectionsDoNotStopTheRealOne() async throws {
    let login = try Login(limits: Self.standing)
    // The tests that run beside this one need descriptors too: the limit is never lowered.
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let silent = (0..<1000).compactMap { _ in BrowserStub(port: login.port) }
    #expect(silent.count == 1000)
    #expect(await login.decide() != nil)
    // The oldest are dropped, long before their time.
    #expect(await silent.first?.answer() == "")
  }

  @Test func noMoreConnectionsAreOpenAtOnceThanTheLimitSays() async throws {
    let login = try Login(limits: LoopbackLimits(connections: 4, now: { .zero }))
    let begun = try #require(BrowserStub(port: login.port))
    begun.send("GET /")
    let silent = (0..<12).compactMap { _ in BrowserStub(port: login.port) }
    #expect(silent.count == 12)
    #expect(await login.decide() != nil)
    // Eight and the one that decided had to go, and those are the oldest.
    for browser in silent.prefix(8) { #expect(await browser.answer() == "") }
    // A request that has begun stays as long as there are connections without any.
    #expect(begun.isOpen)
  }

  @Test func aBrowserThatWaitsForTheOutcomeStaysLongerThanRequestsThatHaveOnlyBegun() async throws {
    let login = try Login(limits: LoopbackLimits(connections: 4, now: { .zero }))
    let place = try #require(await login.decide())
    let waiting = try #require(BrowserStub(port: login.port))
    waiting.send("GET \(place) HTTP/1.1\r\nHost: 127.0.0.1:\(login.port)\r\n\r\n")
    let begun = (0..<6).compactMap { _ in BrowserStub(port: login.port) }
    for browser in begun { browser.send("GET /") }
    #expect(await BrowserStub.get(login.port, "/")?.status == 404)
    await login.listener.finish(.cancelled)
    #expect(await waiting.answer()?.contains("The login was cancelled") == true)
  }

  @Test func aQuarterOfTheDescriptorsIsForConnections() {
    #expect(LoopbackLimits().connections <= max(4, FileDescriptor.limit / 4))
    #expect((4...64).contains(LoopbackLimits().connections))
  }

  @Test func aStalledRequestIsDroppedWhileOthersAreServed() async throws {
    let time = Mutex(Duration.zero)
    let login = try Login(limits: LoopbackLimits(connections: 64, now: { time.withLock { $0 } }))
    let stalled = try #require(BrowserStub(port: login.port))
    stalled.send("GET /callback?code=1&state=right HTTP/1.1\r\nHo")
    #expect(await BrowserStub.get(login.port, "/")?.status == 404)
    time.withLock { $0 = .milliseconds(9_999) }
    #expect(await login.decide() != nil)
    #expect(stalled.isOpen)
    time.withLock { $0 = .seconds(10) }
    #expect(await BrowserStub.get(login.port, "/")?.status == 404)
    #expect(await stalled.answer() == "")
  }

  @Test func aRequestInSmallPiecesIsUnderstood() async throws {
    let login = try Login(limits: Self.standing)
    let browser = try #require(BrowserStub(port: login.port))
    for piece in ["GET /call", "back?state=ri", "ght HTTP/1.1\r\n", "Host: 127.0.0.1:"] {
      browser.send(piece)
      // Each piece is read before the next is sent.
      #expect(await BrowserStub.get(login.port, "/")?.status == 404)
    }
    browser.send("\(login.port)\r\n\r")
    browser.send("\n")
    #expect(await browser.answer()?.hasPrefix("HTTP/1.1 303 ") == true)
  }

  @Test func theSecondAddressOfTheMachineIsServedToo() async throws {
    let login = try Login(limits: Self.standing)
    guard let probe = BrowserStub(port: login.port, v6: true) else {
      // Only a machine without ::1 may refuse.
      #expect(failure { () throws(SystemError) in _ = try LoopbackSocket.listen(.v6) } != nil)
      return
    }
    _ = probe
    let request = "GET /callback?code=6&state=right HTTP/1.1\r\nHost: [::1]:\(login.port)\r\n\r\n"
    #expect(await BrowserStub.ask(login.port, request, v6: true)?.status == 303)
    #expect(try await login.result().get().parameters == "code=6&state=right")
  }

  @Test func aTakenPortIsNamed() async throws {
    let first = try LoopbackListener.bind(program: "sdkctl")
    let error = failure { () throws(LoopbackError) in
      _ = try LoopbackListener.bind(port: first.port, program: "sdkctl")
    }
    #expect(error == .portInUse(first.port))
    first.close()
    // Only a machine without ::1 may refuse.
    guard let other = try? LoopbackSocket.listen(.v6) else { return }
    let taken = failure { () throws(LoopbackError) in
      _ = try LoopbackListener.bind(port: other.port, program: "sdkctl")
    }
    #expect(taken == .portInUse(other.port))
  }

  @Test func theTimeEndsTheWaitAndFreesThePort() async throws {
    // Below the ports that the system gives to other sockets, which might take it at once.
    var bound: LoopbackListener?
    for port in (UInt16(15000)..<32000).shuffled() where bound == nil {
      bound = try? LoopbackListener.bind(port: port, program: "sdkctl")
    }
    let listener = try #require(bound)
    let port = listener.port
    await #expect(throws: LoopbackError.timedOut) {
      _ = try await listener.wait(timeout: .milliseconds(20)) { _ in true }
    }
    #expect(BrowserStub(port: port) == nil)
    let next = try LoopbackListener.bind(port: port, program: "sdkctl")
    #expect(next.port == port)
    next.close()
  }

  @Test func aCancelledTaskStopsWaitingAndFreesThePort() async throws {
    let login = try Login(limits: Self.standing)
    let browser = try #require(BrowserStub(port: login.port))
    login.cancel()
    #expect(await login.result() == .failure(.cancelled))
    #expect(await browser.answer() == "")
    #expect(BrowserStub(port: login.port) == nil)
  }

  @Test func aForgottenListenerEnds() async throws {
    var listener: LoopbackListener? = try LoopbackListener.bind(program: "sdkctl")
    let browser = try #require(BrowserStub(port: listener?.port ?? 0))
    listener = nil
    #expect(await browser.answer() == "")
  }

  /// A clock that stands: no connection is dropped because its time is over, however slow the
  /// machine is.
  private static let standing = LoopbackLimits(connections: 64, now: { .zero })
}
