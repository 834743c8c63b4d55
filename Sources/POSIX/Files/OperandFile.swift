import Glibc

/// The file that an operand names, or an input for `-`; open until this value ends.
struct OperandFile: ~Copyable {
  /// The descriptor that is read.
  let number: Int32
  /// The path, for errors; `nil` for an input.
  let path: String?
  private let file: FileDescriptor?

  init(_ operand: String, _ input: Input) throws(SystemError) {
    guard operand != "-" else {
      number = input.descriptor
      path = nil
      file = nil
      return
    }
    let opened = try FileDescriptor.open(operand)
    number = opened.number
    path = operand
    file = consume opened
  }
}

extension SystemError {
  /// A line is longer than the limit.
  static func tooLong(_ path: String?, _ limit: Int) -> SystemError {
    SystemError(
      "read", path: path, code: EFBIG, kind: .tooLarge,
      message: "a line is longer than \(limit) bytes")
  }
}
