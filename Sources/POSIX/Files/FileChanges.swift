import Synchronization

/// How often this process has replaced, renamed or removed files.
package enum FileChanges {
  /// The number so far: if it is the same as before, this process has changed nothing.
  package static var count: UInt64 { counter.load(ordering: .acquiring) }

  /// Counts a change, after it was made.
  static func note() { counter.wrappingAdd(1, ordering: .releasing) }

  private static let counter = Atomic<UInt64>(0)
}
