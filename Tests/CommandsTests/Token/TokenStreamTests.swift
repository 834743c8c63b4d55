import Glibc
import POSIX
import TestSupport
import Testing

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
}
