import Arguments
import Foundation
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
    try write("demo.bash", Demo.table.manual.bashCompletion())
    try write("_demo", Demo.table.manual.zshCompletion())
    try write("demo.fish", Demo.table.manual.fishCompletion())
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = [
      "PATH": "\(folder.path)/bin:\(path)", "HOME": folder.path, "LC_ALL": "C.UTF-8",
      "TERM": "dumb", "CAPTURE": "\(folder.path)/capture",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
