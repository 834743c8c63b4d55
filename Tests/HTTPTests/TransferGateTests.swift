import Foundation
import TestSupport

@testable import HTTP

@Suite("The gate of a transfer")
struct TransferGateTests {
  @Test("is open at first, and lets a transfer through")
  func open() async {
    let gate = TransferGate()
    #expect(!gate.isSuspended)
    await gate.waitUntilOpen()
  }

  @Test("reports each change once, and a suspension that already existed")
  func observed() {
    let told = Noted<Bool>()
    let gate = TransferGate()
    gate.observe { told.add($0) }
    for state in [true, true, false, false, true] { gate.setSuspended(state) }
    #expect(told.all == [true, false, true])
    gate.observe { told.add($0) }
    #expect(told.all == [true, false, true, true])
    gate.observe(nil)
    gate.setSuspended(false)
    #expect(told.all.count == 4)
  }

  @Test("holds all transfers until it is opened")
  func holds() async {
    let gate = TransferGate()
    let passed = Noted<Bool>()
    gate.setSuspended(true)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await gate.waitUntilOpen()
          passed.add(gate.isSuspended)
        }
      }
      for _ in 0..<100 {
        await Task.yield()
        gate.setSuspended(true)
      }
      #expect(passed.all.isEmpty)
      gate.setSuspended(false)
    }
    #expect(passed.all == [false, false, false])
  }

  @Test("lets a cancelled transfer pass, also if it was cancelled before it waited")
  func cancelled() async {
    let gate = TransferGate()
    gate.setSuspended(true)
    let waiting = Task { await gate.waitUntilOpen() }
    await Task.yield()
    waiting.cancel()
    await waiting.value
    #expect(gate.isSuspended)
  }

  @Test("tells a transport last what it is, also if it changes while the transport is told")
  func ordered() async {
    for _ in 0..<100 {
      let (told, gate) = (Noted<Bool>(), TransferGate())
      let end = Noted<Bool>()
      gate.observe { isSuspended in
        if isSuspended {
          Thread.detachNewThread {
            gate.setSuspended(false)
            end.add(true)
          }
          while gate.isSuspended { sched_yield() }
        }
        told.add(isSuspended)
      }
      gate.setSuspended(true)
      while end.all.isEmpty { sched_yield() }
      #expect(told.all == [true, false])
    }
  }
}
