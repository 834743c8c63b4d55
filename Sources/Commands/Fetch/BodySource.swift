import HTTP
import POSIX

/// A request body from a file or from standard input, read while it is sent.
final class BodySource: HTTPBodySource {
  private let descriptor: FileDescriptor
  /// The offset of the body in the file; `nil` if it can be read only once.
  private let start: Int64?
  /// When a pipe must have had its next bytes; `nil` for no limit.
  private let deadline: ContinuousClock.Instant?

  /// The body that `--data` names: text, `@FILE`, or `-` (also `@-`) for standard input.
  static func body(
    of text: String, _ input: Input, deadline: ContinuousClock.Instant? = nil
  ) throws(Failure) -> HTTPBody {
    let text = text == "-" ? "@-" : text
    guard text.hasPrefix("@") else { return .bytes(Array(text.utf8)) }
    do throws(SystemError) {
      let descriptor =
        text == "@-" ? try input.duplicate() : try .open(String(text.dropFirst()))
      let status = try descriptor.status()
      guard status.kind != .directory else { throw .isDirectory(String(text.dropFirst())) }
      guard status.kind == .file else {
        return .stream(BodySource(descriptor, from: nil, deadline), length: nil)
      }
      let start = try descriptor.offset()
      var length: Int64? = max(0, status.size - start)
      if length == 0, try hasMore(descriptor, at: start) { length = nil }
      return .stream(BodySource(descriptor, from: start, nil), length: length)
    } catch {
      throw Failure.unreadable("the body", error)
    }
  }

  /// Whether there is something to read: files of `/proc` have a size of 0.
  private static func hasMore(
    _ descriptor: borrowing FileDescriptor, at start: Int64
  ) throws(SystemError) -> Bool {
    let isThere = try !descriptor.read(upTo: 1).isEmpty
    try descriptor.seek(to: start)
    return isThere
  }

  private init(
    _ descriptor: consuming FileDescriptor, from start: Int64?,
    _ deadline: ContinuousClock.Instant?
  ) {
    self.descriptor = descriptor
    self.start = start
    self.deadline = deadline
  }

  /// The whole body of a file, which is read again when it is sent; `nil` if that is not possible.
  func content(_ count: Int) -> [UInt8]? {
    var content: [UInt8] = []
    while start != nil, content.count < count,
      let bytes = try? descriptor.read(upTo: count - content.count), !bytes.isEmpty
    {
      content += bytes
    }
    return rewind() ? content : nil
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    if let deadline, !descriptor.waitUntilReadable(until: deadline) { return nil }
    return try? descriptor.read(into: buffer)
  }

  /// A file never makes the transport wait; a pipe, a socket or a terminal may.
  var awaitedDescriptor: Int32? { start == nil ? descriptor.number : nil }

  func rewind() -> Bool {
    guard let start else { return false }
    return (try? descriptor.seek(to: start)) != nil
  }
}
