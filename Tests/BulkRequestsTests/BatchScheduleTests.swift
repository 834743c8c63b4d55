import CoreTestSupport

@testable import BulkRequests
@testable import SDKCore

@Suite("The schedule of a batch")
struct BatchScheduleTests {
  /// How many requests start at first, after one of them has ended, and after its outcome was received.
  private func starts(_ options: BatchOptions) -> [Int] {
    var schedule = BatchSchedule(options)
    let now = ContinuousClock.now
    func started() -> Int {
      schedule.steps(at: now, isCancelled: false).count {
        if case .send = $0 { true } else { false }
      }
    }
    let items = (0..<10).map {
      BatchItem($0, ResourceRequest("GET", "/"), as: .unauthenticated)
    }
    _ = schedule.take(.read(items))
    let first = started()
    let refused = SDKError(.cancelled, cause: "")
    let outcome = BatchOutcome(number: 0, result: .failure(refused), duration: .zero)
    _ = schedule.take(.ended(outcome))
    let second = started()
    _ = schedule.take(.received(1, continues: true))
    return [first, second, started()]
  }

  @Test("lets a request start once the receiver has the outcome of the one before")
  func inStep() {
    #expect(starts(BatchOptions(parallel: 2)) == [2, 0, 1])
  }

  @Test("lets requests run ahead of the receiver, by as many as may run")
  func ahead() {
    var options = BatchOptions(parallel: 2)
    options.runsAhead = true
    #expect(starts(options) == [2, 1, 0])
  }
}
