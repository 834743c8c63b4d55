import Glibc

extension FileDescriptor {
  /// Reads what is there into a buffer; 0 at the end.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    let number = number
    return try checked("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
  }

  /// Goes back to the first byte of a file.
  package borrowing func rewind() throws(SystemError) {
    let number = number
    try checked("lseek") { lseek(number, 0, SEEK_SET) }
  }
}
