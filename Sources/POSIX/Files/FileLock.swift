import Glibc
import Primitives

package enum LockError: Error, Sendable, Hashable {
  case timedOut
  case cancelled
  case system(SystemError)
}

/// An exclusive lock between all tasks and processes that name the same file.
///
/// It is `flock` on an empty file, which is not removed; it ends with this value, or
/// with the process.
package struct FileLock: ~Copyable, Sendable {
  let file: FileDescriptor

  /// Waits for the lock without blocking a thread, at most `timeout`.
  package static func acquire(
    _ path: String, timeout: Duration
  ) async throws(LockError) -> FileLock {
    let start = ContinuousClock.now
    while true {
      if let lock = try attempt(path) { return lock }
      let waited = ContinuousClock.now - start
      if waited >= timeout { throw .timedOut }
      // Jitter, so that many waiters do not try again at the same time.
      let jittered = pause(after: waited) * Double.random(in: 0.5...1.5)
      do { try await Task.sleep(for: min(jittered, timeout - waited)) } catch { throw .cancelled }
    }
  }

  /// How long to pause before the next attempt: an eighth of what was waited already.
  ///
  /// Nobody waits much longer than the lock is held, and hundreds of processes that wait for seconds leave the
  /// processor to its holder.
  static func pause(after waited: Duration) -> Duration {
    min(max(waited / 8, .milliseconds(5)), .milliseconds(500))
  }

  /// Whether a process holds the lock; `false` too if that cannot be read.
  package static func isHeld(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.open(path, followLinks: false) else { return false }
    // Shared, so that two that look do not see each other.
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }

  /// Unlocks explicitly: a child between fork and exec still has a copy of the descriptor.
  deinit { flock(file.number, LOCK_UN) }

  package consuming func release() {}

  /// Takes the lock without waiting; `nil` if another process holds it.
  ///
  /// Calls `opened` before it is taken, for tests.
  package static func attempt(
    _ path: String, opened: () -> Void = {}
  ) throws(LockError) -> FileLock? {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
      opened()
      guard try lock(file.number, path: path) else { return nil }
      // If the file was removed between open and lock, other processes do not see this lock.
      guard try isStill(file.number, at: path) else { return nil }
      return FileLock(file: file)
    } catch {
      throw .system(error)
    }
  }

  private static func lock(_ number: Int32, path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try checked("flock", path: path) { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Whether a path still names the file that is open.
  static func isStill(_ number: Int32, at path: String) throws(SystemError) -> Bool {
    let held = try FileStatus.of(descriptor: number, path: path)
    do throws(SystemError) {
      return try FileStatus.of(path, followLinks: false).isSameFile(as: held)
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }
}

/// The locks that processes of this machine hold (`/proc/locks`).
///
/// Reading it takes no lock, so nobody who waits for one is disturbed.
package struct LockTable: Sendable {
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
