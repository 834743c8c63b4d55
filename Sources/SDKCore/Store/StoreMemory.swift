import POSIX
import Synchronization

/// Values that a session has read from files of its store, each kept while its files stay the same.
///
/// So ten thousand requests do not read the same documents ten thousand times. A change by this process
/// is seen at the next request, one by another process within a millisecond. What changes a document
/// reads it again, under its lock.
final class StoreMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A value, and how its files were before they were read.
  private struct Entry {
    let value: Value
    let files: [(path: String, stamp: FileStamp?)]
    /// When the files were seen to be the same, and how many files this process had changed by then.
    var seen: Duration
    var changes: UInt64

    func isKnownCurrent(at now: Duration) -> Bool {
      changes == FileChanges.count && now - seen < .milliseconds(1)
    }

    var isCurrent: Bool { files.allSatisfy { FileStamp.of($0.path) == $0.stamp } }
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// Returns the value of a key: the kept one, or that which the closure reads from these files.
  func value(
    of key: Key, in files: () -> [StorePath], _ read: () throws(SDKError) -> Value
  ) throws(SDKError) -> Value {
    // Before the files are looked at: a change in between is then noticed.
    let (now, changes) = (SystemClock.monotonic(), FileChanges.count)
    if var kept = entries.withLock({ $0[key] }) {
      if kept.isKnownCurrent(at: now) { return kept.value }
      if kept.isCurrent {
        (kept.seen, kept.changes) = (now, changes)
        keep(kept, for: key)
        return kept.value
      }
    }
    let stamps = files().map { (path: $0.text, stamp: FileStamp.of($0.text)) }
    let entry = Entry(value: try read(), files: stamps, seen: now, changes: changes)
    keep(entry, for: key)
    return entry.value
  }

  private func keep(_ entry: Entry, for key: Key) { entries.withLock { $0[key] = entry } }
}
