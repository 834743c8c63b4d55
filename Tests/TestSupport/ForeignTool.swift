package import Foundation

/// Another implementation, run as a program in a directory of its own.
package struct ForeignTool {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let directory: URL

  package init() throws {
    directory = FileManager.default.temporaryDirectory.appending(
      path: "sdkctl-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  package func remove() { try? FileManager.default.removeItem(at: directory) }

  package func path(_ name: String) -> String { directory.appending(path: name).path }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: directory.appending(path: name))
  }

  package func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appending(path: name)))
  }

  /// Runs a line of the shell in the directory; its output without the last line break.
  @discardableResult
  package func run(_ line: String) throws -> String {
    let (status, output, errors) = try attempt(line)
    guard status == 0 else { throw Failure(description: "\(line): \(status): \(errors)") }
    return output
  }

  package func attempt(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-o", "pipefail", "-ec", "exec 2>errors.txt; " + line]
    process.currentDirectoryURL = directory
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return (
      process.terminationStatus, text.hasSuffix("\n") ? String(text.dropLast()) : text,
      String(decoding: try read("errors.txt"), as: UTF8.self)
    )
  }

  /// Whether a test with that program is to run: in CI always, so that its absence is a failure.
  package static func isExpected(_ program: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let folders = environment["PATH"]?.split(separator: ":") ?? []
    return environment["CI"] != nil
      || folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}
