import POSIX
import Synchronization

/// Values that a session has read from files of its store, each kept while its files stay the same.
///
/// So ten thousand requests do not read the same documents ten thousand times. A change is seen at the
/// next request, whichever process made it. What changes a document reads it again, under its lock.
final class StoreMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A value, and how its files were before they were read.
  private struct Entry {
    let value: Value
    let files: [(path: String, stamp: FileStamp?)]

    var isCurrent: Bool { files.allSatisfy { FileStamp.of($0.path) == $0.stamp } }
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// Returns the value of a key: the kept one, or that which the closure reads from these files.
  func value(
    of key: Key, in files: () -> [StorePath], _ read: () throws(SDKError) -> Value
  ) throws(SDKError) -> Value {
    if let kept = entries.withLock({ $0[key] }), kept.isCurrent { return kept.value }
    // Before the files are read: a change in between is then noticed.
    let seen = files().map { (path: $0.text, stamp: FileStamp.of($0.text)) }
    let entry = Entry(value: try read(), files: seen)
    entries.withLock { $0[key] = entry }
    return entry.value
  }
}
