import POSIX
import Synchronization

/// The locks of a profile: one file each, never the file that is guarded.
enum ProfileLock {
  /// Waits for a lock of a profile.
  ///
  /// - Throws: ``SDKError/Code/busy`` when it is not free in time.
  static func acquire(
    _ lock: String, of profile: ProfileName, at location: StoreLocation,
    waiting timeout: Duration = .seconds(60)
  ) async throws(SDKError) -> FileLock {
    let path = location.lock(lock, of: profile)
    do throws(SystemError) {
      try Directory.create(Directory.parent(of: path), mode: 0o700)
    } catch {
      throw SDKError(.store, "could not make the locks of '\(profile)': \(error)")
    }
    let action = "could not get the lock '\(lock)' of '\(profile)'"
    do throws(LockError) {
      return try await FileLock.acquire(path, timeout: timeout)
    } catch {
      switch error {
      case .timedOut: throw SDKError(.busy, "\(action): another process holds it")
      case .cancelled: throw SDKError(.cancelled, "\(action): cancelled")
      case .system(let error): throw SDKError(.store, "\(action): \(error)")
      }
    }
  }

  /// Takes every lock of a profile, so that nobody else works on it.
  static func acquireAll(
    of profile: ProfileName, at location: StoreLocation
  ) async throws(SDKError) -> HeldLocks {
    let held = HeldLocks()
    for lock in ["login", "profile", "registration", "pins"]
      + CredentialSlot.allCases.map(\.rawValue) + ["dpop"]
    {
      held.add(try await acquire(lock, of: profile, at: location))
    }
    return held
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
