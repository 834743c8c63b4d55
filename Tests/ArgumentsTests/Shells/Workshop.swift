import Arguments
import Foundation
import POSIX
import TestSupport

/// A directory of its own with a stub of the demo on its PATH, in which foreign programs run.
final class Workshop {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("files/folder"), withIntermediateDirectories: true)
    try write("files/first", "")
    try write("files/second one", "")
    try write("bin/demo", Self.stub, isExecutable: true)
    try write("bin/demo-sandbox", "#!/bin/sh\n", isExecutable: true)
    try write("demo.bash", Demo.table.catalog.bashCompletion())
    try write("_demo", Demo.table.catalog.zshCompletion())
    try write("demo.fish", Demo.table.catalog.fishCompletion())
  }

  /// Answers `__complete` if the words come as the scripts promise; else notes its arguments.
  private static let stub = """
    #!/bin/sh
    [ "$1" = __complete ] || { printf '<%s>' "$@" >$CAPTURE; exit; }
    [ "$3" = -- ] || exit 9
    case "$2 $4 $5" in
    'profiles '*) printf 'work\\nhome\\nwork-eu\\n' ;;
    'pinned-hosts -p work') printf 'work.example\\n' ;;
    'pinned-hosts '*) printf 'a.example:443\\na.example:444\\nb.example\\n' ;;
    esac
    """

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
