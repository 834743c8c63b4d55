import Glibc
import Testing

@testable import POSIX

@Suite struct OneShotTests {
  @Test func everyWaiterGetsTheFirstValue() async {
    let oneShot = OneShot<Int>()
    async let early = oneShot.wait()
    async let bounded = oneShot.wait(timeout: .seconds(600))
    #expect(oneShot.value == nil)
    #expect(oneShot.set(1))
    #expect(!oneShot.set(2))
    #expect(await early == 1)
    #expect(await bounded == 1)
    #expect(await oneShot.wait() == 1)
    #expect(oneShot.value == 1)
  }

  @Test func theTimeEndsAWait() async {
    #expect(await OneShot<Int>().wait(timeout: .milliseconds(5)) == nil)
  }

  @Test func aCancelledTaskStopsWaiting() async {
    let oneShot = OneShot<Int>()
    let task = Task { await oneShot.wait() }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func aCancelledTaskMayWaitRegardless() async {
    let oneShot = OneShot<Int>()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await oneShot.waitRegardless()
    }
    oneShot.set(1)
    #expect(await task.value == 1)
  }

  @Test func aThreadCarriesItsErrorBack() async {
    await #expect(throws: SystemError("here", code: 5)) {
      try await BackgroundThread.run { () throws(SystemError) in
        throw SystemError("here", code: 5)
      }
    }
    #expect((try? await BackgroundThread.run { 7 }) == 7)
  }

  @Test func aBodyWithoutAThreadDoesNotRun() {
    let ran = OneShot<Void>()
    // No machine has memory for that stack.
    #expect(throws: SystemError.self) {
      try BackgroundThread.start(stackSize: 1 << 60) { ran.set(()) }
    }
    #expect(ran.value == nil)
  }

  @Test(arguments: [true, false])
  func aThreadMayTakeNoSignals(takes: Bool) async throws {
    let blocked = OneShot<[Bool]>()
    let before = Self.blockedSignals()
    try BackgroundThread.start(takesSignals: takes) { blocked.set(Self.blockedSignals()) }
    #expect(Self.blockedSignals() == before)
    #expect(
      await blocked.wait(timeout: .seconds(600)) == (takes ? before : [true, true, true, true]))
  }

  private static func blockedSignals() -> [Bool] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return [SIGINT, SIGTERM, SIGHUP, SIGPIPE].map { sigismember(&mask, $0) == 1 }
  }

  @Test func aCancelledTaskWakesTheThreadThatItWaitsFor() async throws {
    let begun = OneShot<Void>()
    let task = Task {
      try await BackgroundThread.run(wrapping: { $0 }) { (wake) throws(SystemError) in
        begun.set(())
        var entries = [Poll.Entry(wake.descriptor, .read)]
        return (try? Poll.wait(&entries, timeout: nil)) == 1
      }
    }
    await begun.wait()
    task.cancel()
    #expect(try await task.value)
  }

  @Test func aSignalEndsAPollAndStaysUntilItIsDrained() async throws {
    let wake = try WakePipe()
    var entries = [Poll.Entry(wake.descriptor, .read)]
    #expect(try Poll.wait(&entries, timeout: .zero) == 0)
    #expect(try Poll.wait(&entries, timeout: .seconds(-1)) == 0)
    #expect(entries[0].ready.isEmpty)
    for _ in 0..<100_000 { wake.signal() }
    #expect(try Poll.wait(&entries, timeout: .seconds(600)) == 1)
    #expect(entries[0].ready == .read)
    wake.drain()
    #expect(try Poll.wait(&entries, timeout: .milliseconds(1)) == 0)
  }
}
