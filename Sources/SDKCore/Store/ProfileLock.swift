import POSIX

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
}
