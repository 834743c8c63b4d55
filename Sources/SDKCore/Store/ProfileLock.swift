import POSIX
import Synchronization

/// A lock of a profile: a file of its own, never the file that it guards.
///
/// The cases are in the order in which one process may take several: a lock may be taken only if
/// all held locks come before it. Then two processes cannot wait for each other.
enum ProfileLock: String, CaseIterable {
  case derived, enrolment, login, profile, registration, pins, implicit, user, anonymous, dpop,
    identities

  /// Waits for a lock of a profile.
  ///
  /// In a debug build, waiting for a lock out of order ends the process.
  ///
  /// - Throws: ``SDKError/Code/busy`` when it is not free in time.
  static func acquire(
    _ lock: ProfileLock, of profile: ProfileName, at location: StoreLocation,
    waiting timeout: Duration = .seconds(60)
  ) async throws(SDKError) -> FileLock {
    let path = location.lock(lock, of: profile)
    assert(
      timeout <= .zero || LockOrder.allows(.init(lock), in: path.directory),
      "the lock '\(lock)' is taken out of order: \(LockOrder.held.map(\.lock)) are held")
    do throws(SystemError) {
      try Directory.create(path.directory, mode: 0o700)
      try path.requireTrusted(.secret)
    } catch {
      guard !error.isUnsafe else { throw StoreDocument.failure("use", path, error) }
      throw SDKError(.store, "could not make the locks of '\(profile)': \(error)")
    }
    return try await FileLock.acquire(
      path.text, waiting: timeout,
      action: "could not get the lock '\(lock.rawValue)' of '\(profile)'")
  }

  /// Takes every lock of a profile, so that nobody else works on it.
  static func acquireAll(
    of profile: ProfileName, at location: StoreLocation, waiting timeout: Duration = .seconds(60)
  ) async throws(SDKError) -> HeldLocks {
    let held = HeldLocks()
    for lock in allCases {
      held.add(try await acquire(lock, of: profile, at: location, waiting: timeout))
    }
    return held
  }
}

extension FileLock {
  /// Takes a lock; an error begins with the action: `could not get the lock`.
  static func acquire(
    _ path: String, waiting timeout: Duration, action: String
  ) async throws(SDKError) -> FileLock {
    do throws(LockError) {
      return try await acquire(path, timeout: timeout)
    } catch {
      switch error {
      case .timedOut: throw SDKError(.busy, "\(action): another process holds it")
      case .cancelled: throw SDKError(.cancelled, "\(action): cancelled")
      case .system(let error): throw SDKError(.store, "\(action): \(error)")
      }
    }
  }
}

extension CredentialSlot {
  /// The lock of its file.
  var lock: ProfileLock {
    switch self {
    case .user: .user
    case .implicit: .implicit
    case .anonymous: .anonymous
    }
  }
}

/// Locks that are released together.
final class HeldLocks: Sendable {
  private let locks = Mutex<[LockBox]>([])

  func add(_ lock: consuming FileLock) {
    let box = LockBox(lock)
    locks.withLock { $0.append(box) }
  }

  func release() { locks.withLock { $0.removeAll() } }
}

/// An array cannot hold what cannot be copied; the lock goes when its box does.
private final class LockBox: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) { self.lock = lock }
}
