import Glibc

extension Spawn {
  /// The path of a program: itself if it has a slash, else the first in `PATH`.
  package static func find(_ name: String, in environment: Environment = .current) -> String? {
    if name.isEmpty || name.utf8.contains(0) { return nil }
    if name.contains("/") { return isProgram(name) ? name : nil }
    return folders(of: environment).lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether there is a file where ``find(_:in:)`` looks, be it a program or not.
  package static func fileExists(
    _ name: String, in environment: Environment = .current
  ) -> Bool {
    if name.isEmpty || name.utf8.contains(0) { return false }
    if name.contains("/") { return FileStatus.exists(name) }
    return folders(of: environment).contains { FileStatus.exists("\($0)/\(name)") }
  }

  /// The programs in `PATH` with this prefix, sorted, without repetition.
  package static func names(
    beginningWith prefix: String, in environment: Environment = .current
  ) -> [String] {
    let found = folders(of: environment).flatMap { folder in
      let names = (try? Directory.entries(folder)) ?? []
      return names.filter { $0.hasPrefix(prefix) && isProgram("\(folder)/\($0)") }
    }
    return Set(found).sorted()
  }

  /// Without empty entries: they mean the current directory, which may contain anything.
  private static func folders(of environment: Environment) -> [String] {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map(String.init)
  }

  private static func isProgram(_ path: String) -> Bool {
    (try? FileStatus.of(path))?.kind == .file && access(path, X_OK) == 0
  }
}
