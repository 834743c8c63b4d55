import TestSupport

@testable import Curl

@Suite("The body of a request")
struct RequestBodyTests {
  private static func read(_ body: inout RequestBody, _ size: Int) -> Int? {
    var buffer = [UInt8](repeating: 0, count: size)
    return buffer.withUnsafeMutableBytes { try? body.read(into: $0).get() }
  }

  @Test("is read up to its length, and no further")
  func length() throws {
    let source = Source(counts: [3, 3, 3])
    var body = RequestBody(source, length: 5)
    #expect(Self.read(&body, 3) == 3)
    #expect(Self.read(&body, 3) == 2)
    #expect(Self.read(&body, 3) == 0)
  }

  @Test(
    "fails if the source says that it has filled more than there is room for",
    arguments: [
      4, -1,
    ])
  func counts(_ count: Int) {
    var body = RequestBody(Source(counts: [count], isHonest: false), length: nil)
    #expect(Self.read(&body, 3) == nil)
  }

  @Test("fails if it ends before its length, and ends where its source does without one")
  func ends() {
    var short = RequestBody(Source(counts: [2, 0]), length: 5)
    #expect(Self.read(&short, 3) == 2)
    #expect(Self.read(&short, 3) == nil)
    var open = RequestBody(Source(counts: [2, 0]), length: nil)
    #expect(Self.read(&open, 3) == 2)
    #expect(Self.read(&open, 3) == 0)
  }

  @Test("waits for its source while something is to come, and not after its length")
  func waits() throws {
    let pipe = try WakePipe()
    let source = Source(counts: [2], descriptor: pipe.descriptor)
    var body = RequestBody(source, length: 2)
    #expect(body.awaitedDescriptor == pipe.descriptor)
    #expect(Self.read(&body, 2) == 2)
    #expect(body.awaitedDescriptor == nil)
    pipe.signal()
    #expect(RequestBody(source, length: nil).awaitedDescriptor == nil)
  }
}

/// Says for each read how much it has filled.
// Sendable: each test uses it in one task.
private final class Source: HTTPBodySource, @unchecked Sendable {
  private var counts: [Int]
  private let isHonest: Bool
  let awaitedDescriptor: Int32?

  init(counts: [Int], isHonest: Bool = true, descriptor: Int32? = nil) {
    self.counts = counts
    self.isHonest = isHonest
    awaitedDescriptor = descriptor
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = counts.removeFirst()
    return isHonest ? min(count, buffer.count) : count
  }

  func rewind() -> Bool { false }
  var mayRewind: Bool { false }
}
