import HTTP
import POSIX

/// A streamed body, which must have its announced length.
struct RequestBody {
  private let source: any HTTPBodySource
  private let length: Int64?
  private var sent: Int64 = 0
  /// Whether something was read of the source since it was last rewound.
  var hasBegun: Bool { sent > 0 }

  init(_ source: any HTTPBodySource, length: Int64?) {
    self.source = source
    self.length = length
  }

  /// The descriptor to wait for before the next read, which would block now.
  var awaitedDescriptor: Int32? {
    guard let descriptor = source.awaitedDescriptor, length.map({ sent < $0 }) ?? true
    else { return nil }
    var entries = [Poll.Entry(descriptor, .read)]
    return (try? Poll.wait(&entries, timeout: .zero)) == 0 ? descriptor : nil
  }

  /// Fills a buffer from the source; 0 at the end.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Result<Int, TransportError> {
    let left = length.map { Int(clamping: $0 - sent) } ?? .max
    guard left > 0 else { return .success(0) }
    let space = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left))
    guard let count = source.read(into: space), (0...space.count).contains(count) else {
      return .failure(TransportError(.requestBodyFailed, "the request's body could not be read"))
    }
    guard count > 0 || length == nil else {
      return .failure(
        TransportError(.requestBodyFailed, "the request's body ended before its length"))
    }
    sent += Int64(count)
    return .success(count)
  }

  mutating func rewind() -> Bool {
    sent = 0
    return source.rewind()
  }
}
