import HTTP
import Testing

@testable import Curl

@Suite("A limit of transfers", .timeLimit(.minutes(1)))
struct TurnTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTests.transport()
  }

  private func send(_ path: String, _ turn: TransferTurn) -> Task<HTTPResponse, any Error> {
    Task {
      var request = HTTPRequest(.get, try url(server, path))
      request.turn = turn
      return try await transport.send(request)
    }
  }

  /// Starts a transfer that does not end by itself.
  private func occupy(_ limit: TransferLimit) async throws -> Task<HTTPResponse, any Error> {
    let first = send("wait", TransferTurn(limit))
    while try await server.nextLine() != "request GET /wait HTTP/1.1" {}
    return first
  }

  private func waitUntilWaiting(_ turn: TransferTurn) async {
    while !turn.isWaiting { await Task.yield() }
  }

  /// Waits until another transfer may start: the end of a transfer is counted after its result is sent.
  private func waitUntilFree(_ limit: TransferLimit) async {
    while limit.isReached, !Task.isCancelled { await Task.yield() }
    #expect(!limit.isReached)
  }

  @Test("lets the next one start when one has ended, and none before")
  func turns() async throws {
    let limit = TransferLimit(1)
    let first = try await occupy(limit)
    let turn = TransferTurn(limit)
    let second = send("hello", turn)
    await waitUntilWaiting(turn)
    // Without a turn a request does not wait.
    _ = try await transport.send(HTTPRequest(.get, try url(server, "count")))
    #expect(turn.isWaiting)
    first.cancel()
    #expect(try await second.value.status == 200)
    #expect(!turn.isWaiting && turn.waited > .zero)
    await waitUntilFree(limit)
    var requests: [String] = []
    while requests.last != "request GET /hello HTTP/1.1" {
      let line = try await server.nextLine()
      if line.hasPrefix("request") { requests.append(line) }
    }
    #expect(requests == ["request GET /count HTTP/1.1", "request GET /hello HTTP/1.1"])
  }

  @Test("lets more than 24 run where the server takes its time, as many as it allows")
  func manyAtOnce() async throws {
    let limit = TransferLimit(40)
    var transfers: [Task<HTTPResponse, any Error>] = []
    for _ in 0..<40 { transfers.append(send("wait", TransferTurn(limit))) }
    while !limit.isFull, !Task.isCancelled { await Task.yield() }
    try #require(limit.isFull)
    for _ in 0..<40 { while try await server.nextLine() != "request GET /wait HTTP/1.1" {} }
    for transfer in transfers { transfer.cancel() }
    for transfer in transfers { _ = await transfer.result }
    await waitUntilFree(limit)
  }

  @Test("cancels one that waits without starting it")
  func cancelled() async throws {
    let limit = TransferLimit(1)
    let first = try await occupy(limit)
    let turn = TransferTurn(limit)
    let second = send("hello", turn)
    await waitUntilWaiting(turn)
    second.cancel()
    await #expect(throws: TransportError.cancelled) { try await second.value }
    #expect(turn.isWaiting)
    let third = send("hello", TransferTurn(limit))
    first.cancel()
    #expect(try await third.value.status == 200)
  }

  @Test("starts none that waits after it was closed")
  func closed() async throws {
    let limit = TransferLimit(1)
    let first = try await occupy(limit)
    let turns = (0..<3).map { _ in TransferTurn(limit) }
    let others = turns.map { send("hello", $0) }
    for turn in turns { await waitUntilWaiting(turn) }
    limit.close()
    first.cancel()
    for other in others {
      await #expect(throws: TransportError.cancelled) { try await other.value }
    }
  }

  @Test("ends those that wait with the transport")
  func shutdown() async throws {
    let limit = TransferLimit(1)
    let first = try await occupy(limit)
    let turn = TransferTurn(limit)
    let second = send("hello", turn)
    await waitUntilWaiting(turn)
    transport.shutdown()
    for task in [first, second] {
      await #expect(throws: TransportError.shutDown) { try await task.value }
    }
  }

  @Test("lets many through, also those that fail")
  func many() async throws {
    let limit = TransferLimit(3)
    let tasks = (0..<60).map { send($0 % 5 == 0 ? "drop" : "hello", TransferTurn(limit)) }
    var failed = 0
    for task in tasks {
      do { #expect(try await task.value.status == 200) } catch { failed += 1 }
    }
    #expect(failed == 12)
    await waitUntilFree(limit)
  }
}
