import Glibc

extension FileDescriptor {
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

  /// What it is.
  package borrowing func status() throws(SystemError) -> FileStatus {
    try FileStatus.of(descriptor: number)
  }

  /// The position in a file.
  package borrowing func offset() throws(SystemError) -> Int64 {
    let number = number
    return Int64(try checked("lseek") { lseek(number, 0, SEEK_CUR) })
  }

  /// Sets the position in a file.
  package borrowing func seek(to offset: Int64) throws(SystemError) {
    let number = number
    try checked("lseek") { lseek(number, off_t(offset), SEEK_SET) }
  }
}
