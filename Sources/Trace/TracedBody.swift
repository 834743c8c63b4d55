import HTTP
import Synchronization

/// The beginning of a body, as much as a trace shows.
package struct TracedBody: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  var isWhole: Bool { bytes.count == count }

  package init() {}

  package init(_ bytes: [UInt8]) {
    self.init()
    bytes.withUnsafeBytes { add($0) }
  }

  mutating func add(_ piece: UnsafeRawBufferPointer) {
    count += piece.count
    bytes += piece.prefix(max(0, Self.limit - bytes.count))
  }

  private static let limit = 64 << 10
}

/// Hands a body on to its receiver, and keeps its beginning.
final class TracingSink: HTTPBodySink {
  private let sink: any HTTPBodySink
  private let state = Mutex<(body: TracedBody, response: HTTPResponse?)>((TracedBody(), nil))

  init(_ sink: any HTTPBodySink) { self.sink = sink }

  var body: TracedBody { state.withLock { $0.body } }
  /// The response whose header has arrived.
  var response: HTTPResponse? { state.withLock { $0.response } }

  func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { $0.response = response }
    return sink.begin(response)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { $0.body.add(bytes) }
    return sink.write(bytes)
  }

  func restart() -> Bool { sink.restart() }
}

final class TracingSource: HTTPBodySource {
  private let source: any HTTPBodySource
  private let state = Mutex(TracedBody())

  init(_ source: any HTTPBodySource) { self.source = source }

  var body: TracedBody { state.withLock { $0 } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = source.read(into: buffer)
    if let count, count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
      state.withLock { $0.add(piece) }
    }
    return count
  }

  var awaitedDescriptor: Int32? { source.awaitedDescriptor }

  func rewind() -> Bool {
    state.withLock { $0 = TracedBody() }
    return source.rewind()
  }
}
