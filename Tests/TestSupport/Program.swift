import Foundation

/// Programs that tests use.
package enum Program {
  /// Whether a test with the program is to run: always in CI, so that its absence is a failure.
  ///
  /// A name is looked for in `PATH` and where Debian keeps servers.
  package static func isExpected(_ program: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    if environment["CI"] != nil { return true }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin"]).contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}
