import CPOSIX
import Glibc

/// An open file, pipe or socket, closed when it goes out of scope.
///
/// Always close-on-exec.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number the system knows it by: valid as long as this value.
  package let number: Int32

  package enum Access: Sendable { case read, write, readWrite }

  package init(owning number: Int32) { self.number = number }

  deinit { Glibc.close(number) }

  package static func open(
    _ path: String, _ access: Access = .read, followLinks: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    try open(path, flags: access.flag | O_NOCTTY | (followLinks ? 0 : O_NOFOLLOW))
  }

  static func open(
    _ path: String, flags: Int32, mode: UInt32 = 0o600
  ) throws(SystemError) -> FileDescriptor {
    let name = try validatedPath(path)
    let number = try checked("open", path: path) { Glibc.open(name, flags | O_CLOEXEC, mode) }
    return FileDescriptor(owning: number)
  }

  static func pipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    try checked("pipe", cposix_pipe(&ends))
    return (ends[0], ends[1])
  }

  /// Up to `count` bytes: none at the end of the file.
  package borrowing func read(upTo count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        filled = try checked("read") { Glibc.read(number, buffer.baseAddress, count) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes, with as many calls as needed.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(bytes, to: number)
  }

  /// Returns when the content is on the medium.
  package borrowing func sync() throws(SystemError) {
    try checked("fsync") { fsync(number) }
  }

  /// Closes now and reports a late write error.
  package consuming func close() throws(SystemError) {
    let number = self.number
    discard self
    // After EINTR the number is closed on Linux: never close it twice.
    if Glibc.close(number) != 0, errno != EINTR { throw .last("close") }
  }

  /// How many descriptors this process may have open.
  package static var limit: Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(min(limit.rlim_cur, 1 << 20))
  }

  /// Reads what is there into a buffer; 0 at the end.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    let number = number
    return try checked("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
  }

  /// Waits until a read would not block; `false` if the deadline passes first.
  package borrowing func waitUntilReadable(until deadline: ContinuousClock.Instant) -> Bool {
    var entries = [Poll.Entry(number, .read)]
    let left = max(.zero, ContinuousClock.now.duration(to: deadline))
    return (try? Poll.wait(&entries, timeout: left)) ?? 0 > 0
  }

  package borrowing func status() throws(SystemError) -> FileStatus {
    try FileStatus.of(descriptor: number)
  }

  package borrowing func offset() throws(SystemError) -> Int64 {
    let number = number
    return Int64(try checked("lseek") { lseek(number, 0, SEEK_CUR) })
  }

  /// Sets the position in a file.
  package borrowing func seek(to offset: Int64) throws(SystemError) {
    let number = number
    try checked("lseek") { lseek(number, off_t(offset), SEEK_SET) }
  }

  /// Reads what has arrived, up to `count` bytes.
  package borrowing func receive(upTo count: Int) -> Received {
    do throws(SystemError) {
      let bytes = try read(upTo: count)
      return bytes.isEmpty ? .end : .bytes(bytes)
    } catch {
      return error.code == EAGAIN ? .nothingYet : .end
    }
  }

  /// Sends what fits now and returns the byte count; `nil` if the other side has closed.
  package borrowing func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent >= 0 { return sent }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { return nil }
    }
  }

  /// Ends sending; the other side can still read what was sent.
  package borrowing func finishSending() { shutdown(number, Int32(SHUT_WR)) }
}

extension FileDescriptor.Access {
  fileprivate var flag: Int32 {
    switch self {
    case .read: O_RDONLY
    case .write: O_WRONLY
    case .readWrite: O_RDWR
    }
  }
}

/// Writes all bytes to a descriptor that this process may not own and that may be non-blocking.
func writeAll(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
  let outcome: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
    do throws(SystemError) { return .success(try writeAll(buffer, to: number)) } catch {
      return .failure(error)
    }
  }
  try outcome.get()
}

func writeAll(_ bytes: UnsafeRawBufferPointer, to number: Int32) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let part = UnsafeRawBufferPointer(rebasing: rest)
    let written = Glibc.write(number, part.baseAddress, part.count)
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EAGAIN {
      var entries = [Poll.Entry(number, .write)]
      try Poll.wait(&entries, timeout: nil)
    } else if errno != EINTR {
      throw .last("write")
    }
  }
}

package enum Received: Sendable, Hashable {
  case bytes([UInt8])
  case nothingYet
  /// The other side has closed the connection.
  case end
}
