import CoreTestSupport

@testable import SDKCore

@Suite("Work that tasks share")
final class SharedTaskTests: Sendable {
  private let runs = Mutex(0)

  @Test("is done once for all that ask meanwhile and after it")
  func once() async throws {
    let (shared, gate) = (SharedTask<Int>(), OneShot<Void>())
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await shared.value { () throws(SDKError) in
            self.runs.withLock { $0 += 1 }
            _ = await gate.wait()
            return 7
          }
        }
      }
      gate.set(())
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: 7, count: 8))
    #expect(try await shared.value { () throws(SDKError) in 8 } == 7)
    #expect(runs.withLock { $0 } == 1)
    shared.forget()
    #expect(try await shared.value { () throws(SDKError) in 8 } == 8)
  }

  @Test("is done anew after a failure, unless that stays", arguments: [false, true])
  func failure(stays: Bool) async throws {
    let shared = SharedTask<Int>()
    let refusal = SDKError(.refused, "could not do it")
    await #expect(throws: refusal) {
      try await shared.value(keepsFailure: stays) { () throws(SDKError) in throw refusal }
    }
    let second = Task { try await shared.value(keepsFailure: stays) { () throws(SDKError) in 8 } }
    switch await second.result {
    case .success(let value): #expect(!stays && value == 8)
    case .failure(let error): #expect(stays && error as? SDKError == refusal)
    }
  }
}
