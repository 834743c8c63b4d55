import Primitives

/// The locks that processes of this machine hold (`/proc/locks`).
///
/// Reading it takes no lock, so nobody who waits for one is disturbed.
package struct LockTable: Sendable {
  /// A process that holds a lock.
  package struct Holder: Sendable, Hashable {
    package let process: Int32
    /// The name of its program; `nil` if it cannot be read.
    package let name: String?
    /// Whether it is stopped, so that it will not release the lock by itself.
    package let isStopped: Bool
  }

  /// The processes by the number of the locked file.
  private let processes: [UInt64: [Int32]]

  /// Reads the locks of now; none on systems without such a table.
  package static func current() -> LockTable { LockTable(text("/proc/locks")) }

  /// Reads a table: `1: FLOCK  ADVISORY  WRITE 123 00:2f:4567 0 EOF`.
  init(_ text: String) {
    var processes: [UInt64: [Int32]] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      // Who waits for a lock has an arrow before the kind.
      guard fields.count >= 6, fields[1] == "FLOCK", let process = Int32(fields[4]), process > 0,
        let file = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { continue }
      processes[file, default: []].append(process)
    }
    self.processes = processes
  }

  /// The process that holds the lock of a file; `nil` if none of this machine that can be seen does.
  package func holder(of path: String) -> Holder? {
    guard let status = try? FileStatus.of(path, followLinks: false),
      // Files of different file systems may have the same number.
      let process = processes[status.inode]?.first(where: { Self.holds($0, status) })
    else { return nil }
    let name = Self.text("/proc/\(process)/comm").split(separator: "\n").first.map(String.init)
    return Holder(
      process: process, name: name, isStopped: Self.isStopped(Self.text("/proc/\(process)/stat")))
  }

  private static func holds(_ process: Int32, _ file: FileStatus) -> Bool {
    let directory = "/proc/\(process)/fd"
    return ((try? Directory.entries(directory)) ?? []).contains { number in
      (try? FileStatus.of("\(directory)/\(number)"))?.isSameFile(as: file) == true
    }
  }

  /// Whether a status (`/proc/PID/stat`) is that of a stopped process; the name before it may have anything.
  static func isStopped(_ status: String) -> Bool {
    guard let end = status.lastIndex(of: ")") else { return false }
    return ["T", "t"].contains(status[end...].split(separator: " ").dropFirst().first)
  }

  private static func text(_ path: String) -> String {
    String(decoding: (try? FileReader.read(path, limit: 16 << 20)) ?? [], as: UTF8.self)
  }
}
