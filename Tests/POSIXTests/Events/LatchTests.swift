import Testing

@testable import POSIX

@Suite struct LatchTests {
  @Test func everyWaiterGetsTheFirstValue() async {
    let latch = Latch<Int>()
    async let early = latch.wait()
    async let bounded = latch.wait(timeout: .seconds(60))
    #expect(latch.value == nil)
    #expect(latch.open(1))
    #expect(!latch.open(2))
    #expect(await early == 1)
    #expect(await bounded == 1)
    #expect(await latch.wait() == 1)
    #expect(latch.value == 1)
  }

  @Test func theTimeEndsAWait() async {
    #expect(await Latch<Int>().wait(timeout: .milliseconds(5)) == nil)
  }

  @Test func aCancelledTaskStopsWaiting() async {
    let latch = Latch<Int>()
    let task = Task { await latch.wait() }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func aCancelledTaskMayWaitRegardless() async {
    let latch = Latch<Int>()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await latch.waitRegardless()
    }
    latch.open(1)
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
    let ran = Latch<Void>()
    // No machine has memory for that stack.
    #expect(throws: SystemError.self) {
      try BackgroundThread.start(stackSize: 1 << 60) { ran.open(()) }
    }
    #expect(ran.value == nil)
  }

  @Test func aSignalEndsAPollAndStaysUntilItIsDrained() async throws {
    let wake = try WakePipe()
    var entries = [Poll.Entry(wake.descriptor, .read)]
    #expect(try Poll.wait(&entries, timeout: .zero) == 0)
    #expect(entries[0].ready.isEmpty)
    for _ in 0..<100_000 { wake.signal() }
    #expect(try Poll.wait(&entries, timeout: .seconds(60)) == 1)
    #expect(entries[0].ready == .read)
    wake.drain()
    #expect(try Poll.wait(&entries, timeout: .milliseconds(1)) == 0)
  }
}
