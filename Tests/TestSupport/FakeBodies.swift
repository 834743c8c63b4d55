package import HTTP
import Synchronization

/// A body that is read piece by piece, and perhaps twice.
package final class FakeSource: HTTPBodySource {
  private let bytes: [UInt8]
  private let isRepeatable: Bool
  private let position = Mutex(0)

  package init(_ text: String, isRepeatable: Bool) {
    bytes = Array(text.utf8)
    self.isRepeatable = isRepeatable
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    position.withLock { position in
      let part = bytes[position...].prefix(buffer.count)
      buffer.copyBytes(from: part)
      position += part.count
      return part.count
    }
  }

  package func rewind() -> Bool {
    if isRepeatable { position.withLock { $0 = 0 } }
    return isRepeatable
  }
}

/// A sink that remembers what reached it.
package final class FakeSink: HTTPBodySink {
  private let state = Mutex<(statuses: [Int], body: [UInt8])>(([], []))

  package init() {}

  /// The statuses of the responses that began.
  package var statuses: [Int] { state.withLock { $0.statuses } }
  package var body: String { String(decoding: state.withLock { $0.body }, as: UTF8.self) }

  package func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { $0.statuses.append(response.status) }
    return true
  }

  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let bytes = Array(bytes)
    state.withLock { $0.body += bytes }
    return true
  }
}
