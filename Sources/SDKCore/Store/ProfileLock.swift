package import POSIX
import Primitives
import Synchronization

/// A lock of a profile: a file of its own, never the file that it guards.
///
/// The cases are in the order in which one process may take several: a lock may be taken only if
/// all held locks come before it. Then two processes cannot wait for each other.
package enum ProfileLock: String, CaseIterable {
  case derived, enrolment, login, profile, registration, pins, implicit, user, anonymous, dpop,
    identities, authenticators, seal

  package static func acquire(
    _ lock: ProfileLock, of profile: ProfileName, at location: StoreLocation,
    waiting timeout: Duration = .seconds(60)
  ) async throws(SDKError) -> FileLock {
    try await FileLock.acquire(
      location.lock(lock, of: profile), .init(lock), waiting: timeout,
      action: "could not get the lock '\(lock.rawValue)' of '\(profile)'")
  }

  static func acquireAll(
    of profile: ProfileName, at location: StoreLocation,
    waiting timeout: @autoclosure () -> Duration = .seconds(60)
  ) async throws(SDKError) -> HeldLocks {
    try await acquire(allCases, of: profile, at: location, waiting: timeout())
  }

  /// Takes several locks of a profile, which must be in the order of the cases.
  static func acquire(
    _ locks: [ProfileLock], of profile: ProfileName, at location: StoreLocation,
    waiting timeout: @autoclosure () -> Duration = .seconds(60)
  ) async throws(SDKError) -> HeldLocks {
    let held = HeldLocks()
    for lock in locks {
      // Each is waited for as long as is left.
      held.add(try await acquire(lock, of: profile, at: location, waiting: timeout()))
    }
    return held
  }
}

extension ProfileLock {
  /// The secret document that it guards; `nil` for what stays on the machine.
  package var secret: ProfileFile? { ProfileFile.all.first { $0.isMovable && $0.lock == self } }
}

extension ProfileStore {
  func holdingAll<Value: Sendable>(
    of profile: ProfileName, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let locks = try await ProfileLock.acquireAll(
      of: profile, at: location, waiting: wait(atMost: .seconds(60)))
    defer { locks.release() }
    let taken = LockOrder.Held.list(
      ProfileLock.allCases.map { LockOrder.Rank($0) }, of: profile, at: location)
    return try await LockOrder.$held.with(LockOrder.held + taken, body)
  }

  func holding<Value: Sendable>(
    _ place: LockOrder.Rank, of profile: ProfileName, busy: SDKError? = nil,
    _ body: () async throws(SDKError) -> Value, acquiring: () async throws(SDKError) -> FileLock
  ) async throws(SDKError) -> Value {
    // A removed profile must not get any file again, before the wait and after it.
    guard contains(profile) else { throw noProfile(profile) }
    let held: FileLock
    do {
      held = try await acquiring()
    } catch {
      // The locks are removed with their profile.
      guard contains(profile) else { throw noProfile(profile) }
      guard error.code == .busy, let busy else { throw error }
      throw busy
    }
    guard contains(profile) else { throw noProfile(profile) }
    let taken = LockOrder.Held.list([place], of: profile, at: location)
    let value = try await LockOrder.$held.with(LockOrder.held + taken, body)
    held.release()
    return value
  }

  package func holding<Value: Sendable>(
    _ lock: ProfileLock, of profile: ProfileName, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await holding(.init(lock), of: profile, body) { () async throws(SDKError) in
      try await ProfileLock.acquire(
        lock, of: profile, at: location, waiting: wait(atMost: .seconds(60)))
    }
  }

  /// How long another process is waited for.
  func wait(atMost longest: Duration) -> Duration {
    SessionLimits(deadline: deadline).bounded(longest)
  }
}

extension FileLock {
  /// Takes a lock of a profile; an error begins with the action: `could not get the lock`.
  ///
  /// In a debug build, waiting for a lock out of order ends the process.
  static func acquire(
    _ path: StorePath, _ place: LockOrder.Rank, waiting timeout: Duration, action: String
  ) async throws(SDKError) -> FileLock {
    assert(
      timeout <= .zero || LockOrder.allows(place, in: path.directory),
      "\(action): it is taken out of order, as \(LockOrder.held.map(\.lock)) are held")
    return try await acquire(path, waiting: timeout, action: action)
  }

  /// Takes a lock of the store; an error begins with the action.
  static func acquire(
    _ path: StorePath, waiting timeout: Duration, action: String
  ) async throws(SDKError) -> FileLock {
    do throws(SystemError) {
      try Directory.create(path.directory, mode: 0o700)
      try path.requireTrusted(.secret)
    } catch {
      guard !error.isUnsafe else { throw StoreDocument.failure("use", path, error) }
      throw SDKError.unwritable(action, error)
    }
    do throws(LockError) {
      return try await acquire(path.text, timeout: timeout)
    } catch {
      switch error {
      case .timedOut: throw SDKError(.busy, "\(action): another process holds it")
      case .cancelled: throw SDKError(.cancelled, "\(action): cancelled")
      case .system(let error): throw SDKError.unwritable(action, error)
      }
    }
  }
}

extension CredentialSlot {
  var lock: ProfileLock {
    switch self {
    case .user: .user
    case .implicit: .implicit
    case .anonymous: .anonymous
    }
  }
}

final class HeldLocks: Sendable {
  private let locks = Mutex<[LockBox]>([])

  func add(_ lock: consuming FileLock) {
    let box = LockBox(lock)
    locks.withLock { $0.append(box) }
  }

  func release() { locks.withLock { $0.removeAll() } }
}

/// A `FileLock` cannot be copied, and so cannot be in an array.
private final class LockBox: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) { self.lock = lock }
}

/// The locks of a profile that a task holds, so that a lock taken out of order is noticed.
///
/// A task that takes one out of order can wait for a process that waits for it. That is rarely seen: so a debug build
/// stops at the first lock out of order.
package enum LockOrder {
  struct Held: Sendable, Hashable {
    let lock: Rank
    /// The path of the lock's directory: locks of different profiles have no order.
    let directory: String

    static func list(
      _ ranks: [Rank], of profile: ProfileName, at location: StoreLocation
    ) -> [Held] {
      let directory = location.lock(.enrolment, of: profile).directory
      return ranks.map { Held(lock: $0, directory: directory) }
    }
  }

  struct Rank: Sendable, Hashable, Comparable {
    private let position: Int

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
