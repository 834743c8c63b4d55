import Glibc

/// One end of a pipe to a program, closed with its last reference.
final class PipeEnd: Sendable {
  private let descriptor: FileDescriptor

  private init(_ number: Int32) { descriptor = FileDescriptor(owning: number) }

  static func pair() throws(SystemError) -> (reader: PipeEnd, writer: PipeEnd) {
    let ends = try FileDescriptor.pipe()
    return (PipeEnd(ends.reader), PipeEnd(ends.writer))
  }

  var number: Int32 { descriptor.number }

  func makeNonBlocking() throws(SystemError) {
    try checked("fcntl") { fcntl(number, F_SETFL, O_NONBLOCK) }
  }

  func read() throws(SystemError) -> [UInt8] { try descriptor.read(upTo: 65_536) }

  /// How many bytes were written; `nil` if the pipe is closed.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let sent = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
    if sent >= 0 { return sent }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
