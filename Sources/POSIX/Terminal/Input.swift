import Glibc

/// Standard input, or another descriptor in its place.
package struct Input: Sendable {
  package static let standard = Input(descriptor: 0)

  package let descriptor: Int32

  /// Reads from a descriptor that it does not own.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether it is a pipe, a socket or a file, as after `|` and `<` of a shell; a terminal and
  /// `/dev/null` are not.
  package var isRedirected: Bool {
    guard let status = try? FileStatus.of(descriptor: descriptor) else { return false }
    return [.file, .pipe, .socket].contains(status.kind)
  }

  /// One line without its line break; does not read beyond it.
  package func readLine(limit: Int) throws(SystemError) -> [UInt8] {
    let input = try duplicate()
    var line: [UInt8] = []
    while line.count < limit {
      let byte = try input.read(upTo: 1)
      if byte.isEmpty || byte == [UInt8(ascii: "\n")] { break }
      line += byte
    }
    return line
  }

  /// The content of this input if the path is `-`, else of that file.
  package func readOperand(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    path == "-"
      ? try FileReader.readAll(descriptor, path: nil, limit: limit)
      : try FileReader.read(path, limit: limit)
  }

  /// A duplicate of the descriptor.
  package func duplicate() throws(SystemError) -> FileDescriptor {
    let number = descriptor
    return FileDescriptor(
      owning: try checked("dup") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
  }
}
