import Arguments
import Foundation
import TestSupport

/// A directory of its own with a stand-in for the demo on its PATH, in which foreign programs run.
///
/// The stand-in has the responses to completion scripts that ask about the given lines, and to no others.
final class Workshop {
  private let folder: TemporaryFolder

  init(asking lines: [String]) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("files/folder"), withIntermediateDirectories: true)
    try write("files/first", "")
    try write("files/second one", "")
    try write("bin/demo", Self.standIn(lines), isExecutable: true)
    try write("bin/demo-sandbox", "#!/bin/sh\n", isExecutable: true)
    try write("demo.bash", Demo.table.catalog.bashCompletion())
    try write("_demo", Demo.table.catalog.zshCompletion())
    try write("demo.fish", Demo.table.catalog.fishCompletion())
  }

  /// Prints the response to one of the lines; without `__complete`, notes its arguments.
  private static func standIn(_ lines: [String]) -> String {
    let cases = lines.map { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: false).dropFirst()
      return """
        '\((["__complete", "--"] + words).joined(separator: " "))') cat <<'END'
        \(Demo.offer(words.map(String.init)).text)END
        ;;

        """
    }
    return """
      #!/bin/sh
      [ "$1" = __complete ] || { printf '<%s>' "$@" >$CAPTURE; exit; }
      case "$*" in
      \(cases.joined())esac

      """
  }

  func write(_ name: String, _ text: String, isExecutable: Bool = false) throws {
    try folder.write(text, to: name, mode: isExecutable ? 0o755 : 0o644)
  }

  /// The lines that a program printed on its standard output and error.
  func run(_ program: String, _ arguments: [String]) throws -> [String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let environment: [String: String] = [
      "PATH": "\(folder.path)/bin:\(path)", "HOME": folder.path, "LC_ALL": "C.UTF-8",
      "TERM": "dumb", "CAPTURE": "\(folder.path)/capture",
    ]
    let process = try ChildProcess(
      program, arguments, environment: Environment(environment), folder: folder.path,
      errors: .output)
    process.closeInput()
    return String(decoding: process.readToEnd(), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }
}
