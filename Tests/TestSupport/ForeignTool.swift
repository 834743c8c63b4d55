import POSIX

/// Another implementation, run as a program in a directory of its own.
package struct ForeignTool {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let folder: TemporaryFolder

  package init() throws { folder = try TemporaryFolder() }

  package func path(_ name: String) -> String { folder.file(name) }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    try folder.write(bytes, to: name)
  }

  package func read(_ name: String) throws -> [UInt8] { try folder.bytes(of: name) }

  /// Runs a line of the shell in the directory; its output without the last line break.
  @discardableResult
  package func run(_ line: String) throws -> String {
    let (status, output, errors) = try attempt(line)
    guard status == 0 else { throw Failure(description: "\(line): \(status): \(errors)") }
    return output
  }

  package func attempt(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    let process = try ChildProcess(
      "bash", ["-o", "pipefail", "-ec", "exec 2>errors.txt; " + line], folder: folder.path)
    process.closeInput()
    let text = String(decoding: process.readToEnd(), as: UTF8.self)
    var status: Int32 = -1
    if case .exited(let code) = process.waitUntilExit() { status = code }
    return (
      status, text.hasSuffix("\n") ? String(text.dropLast()) : text,
      try folder.text(of: "errors.txt")
    )
  }
}
