import CoreTestSupport

@testable import Commands

@Suite("Progress of a transfer")
struct ProgressTests {
  private final class Clock: Sendable {
    let time = Mutex(ContinuousClock.now)
    func advance(_ milliseconds: Int) {
      time.withLock { $0 = $0.advanced(by: .milliseconds(milliseconds)) }
    }
  }

  @Test("is shown after a while, and five times a second at most")
  func shown() throws {
    let folder = try TemporaryFolder()
    let file = try FileDescriptor.open(folder.write("", to: "errors"), .write)
    let clock = Clock()
    let progress = Progress(
      Output(descriptor: file.number, capacity: 0), after: .seconds(1),
      now: { clock.time.withLock { $0 } })
    for (milliseconds, count) in [(0, 0), (999, 0), (1, 1), (0, 1), (199, 1), (1, 2)] {
      clock.advance(milliseconds)
      progress.add(1)
      let lines = try folder.text(of: "errors").split(separator: "\r")
      #expect(lines.count == count, "\(lines)")
    }
    progress.end()
    #expect(try folder.text(of: "errors").hasSuffix("\r\u{1b}[K"))
  }
}
