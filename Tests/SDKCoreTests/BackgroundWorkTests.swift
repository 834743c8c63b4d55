import CoreTestSupport
import Dispatch

@testable import SDKCore

@Suite("Work on a thread of its own")
struct BackgroundWorkTests {
  @Test("returns its result, or throws its error")
  func result() async throws {
    #expect(try await onBackgroundThread { () throws(SDKError) in 7 } == 7)
    let error = await #expect(throws: SDKError.self) {
      try await onBackgroundThread { () throws(SDKError) -> Int in throw SDKError(.refused, "no") }
    }
    #expect(error?.message == "no")
  }

  @Test("is not waited for beyond the time, or in a cancelled task")
  func end() async throws {
    // Without a time: on a machine with much to do, the end of a wait may be noticed late.
    let gate = DispatchSemaphore(value: 0)
    let hasBegun = OneShot<Bool>()
    let late = await expect(.localData) {
      try await onBackgroundThread(atMost: .milliseconds(10)) { () throws(SDKError) in
        gate.wait()
      }
    }
    #expect(late?.message == "it takes longer than the time allows")
    let task = Task { () async -> SDKError? in
      do throws(SDKError) {
        try await onBackgroundThread { () throws(SDKError) in
          hasBegun.set(true)
          gate.wait()
        }
        return nil
      } catch {
        return error
      }
    }
    await hasBegun.wait()
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    gate.signal()
    gate.signal()
  }

  @Test("seals a key while other tasks of the same thread go on")
  func sealing() async {
    let steps = await TaskThread.run { () -> Int in
      let sealing = Flag()
      async let sealed = {
        defer { sealing.hasEnded.store(true, ordering: .relaxed) }
        return try? await IdentityKey.pem("key").sealed(with: Array("secret".utf8))
      }()
      var steps = 0
      while !sealing.hasEnded.load(ordering: .relaxed) {
        await Task.yield()
        steps += 1
      }
      #expect(await sealed?.isSealed == true)
      return steps
    }
    #expect(steps > 100)
  }
}

private final class Flag: Sendable {
  let hasEnded = Atomic(false)
}
