import CoreTestSupport
import Glibc

@testable import Commands

@Suite("Tokens of an input")
struct TokenStreamTests {
  @Test("are worked on before the input is said to have broken off")
  func brokenOff() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    // A peer that leaves bytes unread resets the connection.
    #expect(write(ends[0], "x", 1) == 1)
    let output = Output(descriptor: ends[1])
    output.write(TestToken.text("{}") + "\n")
    try output.flush()
    close(ends[1])
    var ports = Ports(environment: Environment([:]))
    ports.input = Input(descriptor: ends[0])
    let stream = try TokenStream("-", Context(globals: Globals(), ports: ports))
    var count = 0
    do {
      try await stream.forEach({ _ in 0 }, consume: { _, _ in count += 1 })
      Issue.record("the input was not complete")
    } catch {
      let message = (error as? Failure)?.message ?? ""
      #expect(message.contains("connection reset"), "\(error)")
    }
    #expect(count == 1)
  }

  /// A packet is read by itself.
  @Test(
    "are worked on while the input stays open", .serialized,
    arguments: [
      (SOCK_STREAM, TestToken.text("{}")), (SOCK_SEQPACKET, TestToken.text("{}")),
      (SOCK_SEQPACKET, "opaque"),
    ])
  func open(kind: __socket_type, line: String) async throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(kind.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    let writer = Writer(ends[1])
    let output = Output(descriptor: ends[1])
    for _ in 1...2 {
      output.write(line + "\n")
      try output.flush()
    }
    // Only if nothing is worked on before the end.
    let rescue = Task.detached {
      try await Task.sleep(for: .seconds(20))
      _ = writer.end()
    }
    var ports = Ports(environment: Environment([:]))
    ports.input = Input(descriptor: ends[0])
    let stream = try TokenStream("-", Context(globals: Globals(), ports: ports))
    var wasOpen: Bool?
    try await stream.forEach({ _ in 0 }, consume: { _, _ in wasOpen = wasOpen ?? writer.end() })
    #expect(wasOpen == true)
    rescue.cancel()
    _ = writer.end()
  }

  private final class Writer: Sendable {
    private let number: Mutex<Int32?>

    init(_ number: Int32) { self.number = Mutex(number) }

    /// Closes the descriptor; returns whether it was open.
    func end() -> Bool {
      number.withLock { number in
        defer { number = nil }
        return number.map { close($0) == 0 } ?? false
      }
    }
  }
}
