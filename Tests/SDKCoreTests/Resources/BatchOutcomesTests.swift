import Testing

@testable import SDKCore

@Suite("The outcomes of a batch")
struct BatchOutcomesTests {
  private let outcomes: BatchOutcomes

  init() {
    var options = BatchOptions(parallel: 8)
    options.runsAhead = true
    outcomes = BatchOutcomes(options)
  }

  private func add(_ numbers: Range<Int>) async {
    for number in numbers {
      let error = SDKError(.cancelled, "ended")
      await outcomes.add(BatchOutcome(number: number, result: .failure(error), duration: .zero))
    }
  }

  @Test("go to the receiver once half as many as may run have come")
  func group() async {
    await add(0..<4)
    #expect(await outcomes.next()?.map(\.number) == [0, 1, 2, 3])
  }

  @Test("go to a receiver that waits after a millisecond, however few they are")
  func due() async throws {
    let receiver = Task { await outcomes.next()?.map(\.number) }
    await add(0..<1)
    let left = try #require(outcomes.flush(at: .now - .seconds(1)))
    #expect(left > .seconds(1))
    #expect(outcomes.flush(at: .now + .milliseconds(1)) == nil)
    #expect(await receiver.value == [0])
    #expect(outcomes.flush(at: .now + .seconds(1)) == nil)
  }

  @Test("that became due while the receiver was busy do not wait for others")
  func busyReceiver() async {
    await add(0..<1)
    #expect(outcomes.flush(at: .now + .milliseconds(1)) == nil)
    #expect(await outcomes.next()?.map(\.number) == [0])
  }

  @Test("end with nil, after those that are left")
  func end() async {
    await add(0..<1)
    outcomes.close()
    #expect(await outcomes.next()?.map(\.number) == [0])
    #expect(await outcomes.next() == nil)
  }
}
