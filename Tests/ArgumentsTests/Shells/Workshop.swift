import Arguments
import Foundation
import Testing

/// A directory of its own with a stub of the demo on its PATH, in which foreign programs run.
final class Workshop {
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("arguments-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("bin"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("files/folder"), withIntermediateDirectories: true)
    try write("files/first", "")
    try write("files/second one", "")
    try write("bin/demo", Self.stub, isExecutable: true)
    try write("bin/demo-sandbox", "#!/bin/sh\n", isExecutable: true)
    try write("demo.bash", Demo.table.manual.bashCompletion())
    try write("_demo", Demo.table.manual.zshCompletion())
    try write("demo.fish", Demo.table.manual.fishCompletion())
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
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
    let file = directory.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    let mode = isExecutable ? 0o755 : 0o644
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
  }

  /// The lines that a program printed on its standard output and error.
  func run(_ program: String, _ arguments: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = directory
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = [
      "PATH": "\(directory.path)/bin:\(path)", "HOME": directory.path, "LC_ALL": "C.UTF-8",
      "TERM": "dumb", "CAPTURE": "\(directory.path)/capture",
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

/// Whether a program is there; its absence is a failure where `CI` is set, and a remark elsewhere.
func isInstalled(_ program: String) -> Bool {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  let isThere = path.split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
  if !isThere {
    if ProcessInfo.processInfo.environment["CI"] != nil {
      Issue.record("\(program) is not installed")
    } else {
      print("not tested: \(program) is not installed")
    }
  }
  return isThere
}
