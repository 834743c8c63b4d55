/// The locks of a profile that a task holds, so that a lock taken out of order is noticed.
///
/// The order is that of ``ProfileLock``; the lock of an identity comes after
/// ``ProfileLock/enrolment``. A task that takes a lock out of order can wait for another process
/// that waits for it. That is seen only if both run at the same instant, and then after the time
/// limit: so a debug build stops at the first lock out of order.
package enum LockOrder {
  /// A lock that a task holds.
  struct Held: Sendable, Hashable {
    let lock: Rank
    /// The path of the lock's directory: locks of different profiles have no order.
    let directory: String

    /// Locks of a profile.
    static func list(
      _ ranks: [Rank], of profile: ProfileName, at location: StoreLocation
    ) -> [Held] {
      let directory = location.lock(.enrolment, of: profile).directory
      return ranks.map { Held(lock: $0, directory: directory) }
    }
  }

  /// The rank of a lock in the order.
  struct Rank: Sendable, Hashable, Comparable {
    private let position: Int

    /// The rank of a lock of the profile.
    init(_ lock: ProfileLock) {
      position = 2 * (ProfileLock.allCases.firstIndex(of: lock) ?? 0)
    }

    /// The rank of the lock of an identity: no task takes those of two.
    static let identity = Rank(after: .enrolment)

    private init(after lock: ProfileLock) { position = Rank(lock).position + 1 }

    static func < (one: Rank, other: Rank) -> Bool { one.position < other.position }
  }

  /// The locks that this task holds, in the order in which it took them.
  @TaskLocal static var held: [Held] = []

  /// Whether this task holds a lock of a profile.
  package static func holds(
    _ lock: ProfileLock, of profile: ProfileName, at location: StoreLocation
  ) -> Bool {
    Held.list([Rank(lock)], of: profile, at: location).allSatisfy(held.contains)
  }

  /// Whether this task may take a lock: it comes after all held locks of the same profile.
  static func allows(_ lock: Rank, in directory: String) -> Bool {
    held.allSatisfy { $0.directory != directory || $0.lock < lock }
  }
}
