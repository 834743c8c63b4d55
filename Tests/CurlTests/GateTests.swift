import TestSupport

@testable import Curl

/// Transfers of libcurl that are suspended, resumed and cancelled while they run.
@Suite struct GateTests {
  @Test func aSuspendedTransferGoesOnWhereItWas() async throws {
    let server = try LoopbackServer()
    let transport = try transport()
    var request = HTTPRequest(.get, try url(server, "bytes/3000000"))
    let gate = TransferGate()
    request.gate = gate
    let sink = SuspendingSink(gate)
    let transfer = Task { [request] in try await transport.send(request, receiving: .sink(sink)) }
    await sink.isSuspended.waitRegardless()
    // What libcurl had received already may still arrive; the transfer cannot end.
    for _ in 0..<50 { await Task.yield() }
    #expect(sink.count < 3_000_000)
    gate.setSuspended(false)
    #expect(try await transfer.value.status == 200)
    #expect(sink.count == 3_000_000)
  }

  @Test func allTransfersEndHoweverTheyAreSuspendedAndCancelled() async throws {
    let server = try LoopbackServer()
    // On a busy machine sixty handshakes at once take long.
    let transport = try transport { $0.connectTimeout = .seconds(300) }
    let address = try url(server, "bytes/300000")
    let failures = await withTaskGroup(of: String?.self) { group in
      for number in 0..<60 {
        group.addTask {
          var request = HTTPRequest(.get, address)
          let gate = TransferGate()
          request.gate = gate
          let work = Task { [request] in
            try await transport.send(request, limit: 1 << 20).body.count == 300_000
          }
          for step in 0..<(number % 8) {
            gate.setSuspended(step % 2 == 0)
            await Task.yield()
          }
          if number % 5 == 0 { work.cancel() } else { gate.setSuspended(false) }
          do {
            return try await work.value ? nil : "\(number): not whole"
          } catch {
            return number % 5 == 0 ? nil : "\(number): \(error)"
          }
        }
      }
      return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(failures.isEmpty)
    let response = try await transport.send(HTTPRequest(.get, try url(server, "bytes/5")))
    #expect(response.body.count == 5)
  }
}

/// Suspends its own transfer at the first bytes, once.
final class SuspendingSink: HTTPBodySink {
  let isSuspended = OneShot<Bool>()
  private let gate: TransferGate
  private let received = Atomic(0)

  init(_ gate: TransferGate) { self.gate = gate }

  var count: Int { received.load(ordering: .relaxed) }

  func begin(_ response: HTTPResponse) -> Bool { true }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if received.add(bytes.count, ordering: .relaxed).oldValue == 0 {
      gate.setSuspended(true)
      isSuspended.set(true)
    }
    return true
  }
}
