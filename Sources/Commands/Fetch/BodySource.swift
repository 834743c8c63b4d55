import HTTP
import POSIX
import Synchronization

/// A request body from a file or from standard input, read while it is sent.
final class BodySource: HTTPBodySource {
  private let descriptor: FileDescriptor
  private let isSeekable: Bool

  /// The body that `--data` names: text, `@FILE`, or `@-` for standard input.
  static func body(of text: String) throws(Failure) -> HTTPBody {
    guard text.hasPrefix("@") else { return .bytes(Array(text.utf8)) }
    let path = text == "@-" ? "/dev/stdin" : String(text.dropFirst())
    do throws(SystemError) {
      let status = try FileStatus.of(path)
      let source = BodySource(
        try FileDescriptor.open(path), isSeekable: status.kind == .file)
      return .stream(source, length: status.kind == .file ? status.size : nil)
    } catch {
      throw Failure(.failure, "input_unreadable", "could not read the body: \(error)")
    }
  }

  private init(_ descriptor: consuming FileDescriptor, isSeekable: Bool) {
    self.descriptor = descriptor
    self.isSeekable = isSeekable
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    try? descriptor.read(into: buffer)
  }

  func rewind() -> Bool { isSeekable && (try? descriptor.rewind()) != nil }
}
