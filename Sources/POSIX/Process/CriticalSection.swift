import Synchronization

/// Work that a first signal must let finish, because its result would be lost for good.
package enum CriticalSection {
  /// Whether such work is going on.
  static var isActive: Bool { count.load(ordering: .acquiring) > 0 }

  /// Runs the body; until it ends only a second signal ends the process.
  package static func run<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    count.add(1, ordering: .releasing)
    defer { count.subtract(1, ordering: .releasing) }
    return try await body()
  }

  private static let count = Atomic(0)
}
