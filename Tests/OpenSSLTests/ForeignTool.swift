import Foundation

/// Another implementation, run as a program in a directory of its own.
struct ForeignTool {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(
      path: "sdkctl-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: directory) }

  func path(_ name: String) -> String { directory.appending(path: name).path }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: directory.appending(path: name))
  }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appending(path: name)))
  }

  /// Runs a line of the shell in the directory; its output without the last line break.
  @discardableResult
  func run(_ line: String) throws -> String {
    let (status, output, errors) = try attempt(line)
    guard status == 0 else { throw Failure(description: "\(line): \(status): \(errors)") }
    return output
  }

  func attempt(_ line: String) throws -> (status: Int32, output: String, errors: String) {
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
  static func isExpected(_ program: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let folders = environment["PATH"]?.split(separator: ":") ?? []
    return environment["CI"] != nil
      || folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}

/// A reproducible sequence (splitmix64), so that a failure can be run again.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The bytes with one of: a bit flipped, a byte replaced, removed, repeated, or the end cut off.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let index = Int.random(in: bytes.indices, using: &self)
    switch Int.random(in: 0..<5, using: &self) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1: bytes[index] = .random(in: 0...255, using: &self)
    case 2: bytes.remove(at: index)
    case 3: bytes.insert(bytes[index], at: index)
    default: bytes.removeSubrange(index...)
    }
    return bytes
  }
}
