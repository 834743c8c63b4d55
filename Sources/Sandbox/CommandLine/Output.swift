import Glibc

/// What the program prints.
enum Output {
  /// Data for the reader, on standard output.
  static func text(_ text: String) { write(text, to: 1) }

  static func error(_ text: String) { write(text, to: 2) }

  private static func write(_ text: String, to descriptor: Int32) {
    guard Descriptor.writeAll(Array(text.utf8), to: descriptor) || descriptor == 2 else {
      // Lost output is a failure: a reader that went away ends us as it would end cat.
      exit(errno == EPIPE ? 141 : Failure.Exit.other.rawValue)
    }
  }
}

/// Reading and writing whole contents through descriptors.
enum Descriptor {
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        done += count
      }
      return true
    }
  }

  /// A pipe whose ends no child inherits unless it is given them: first reading, then writing.
  static func pipe() -> [Int32]? {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// Closes what an unknown parent may have left open.
  ///
  /// Only at the start of a process.
  static func closeAll(from first: Int32) { for number in first..<1_024 { close(number) } }

  /// Everything up to the end, or up to a bound.
  static func readAll(_ descriptor: Int32, most: Int = 1 << 20) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < most {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes.append(contentsOf: piece.prefix(count))
    }
    return bytes
  }
}
