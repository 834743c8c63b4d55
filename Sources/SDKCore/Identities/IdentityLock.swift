import POSIX

extension SessionEnvironment {
  /// Holds the lock of one identity while the body obtains or renews it, so that no two tasks or
  /// processes do so at a time.
  ///
  /// It is taken before any ``ProfileLock``.
  ///
  /// - Throws: ``SDKError/Code/busy`` if it is not free in time.
  func lockedIdentity<Value: Sendable>(
    _ name: IdentityName, waiting timeout: Duration? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let path = location.stateFile("profiles/\(profile.name)/locks/identity-\(name).lock")
    let action = "could not get the lock of the identity '\(name)'"
    let held: FileLock
    do throws(SystemError) {
      try Directory.create(path.directory, mode: 0o700)
      try path.requireTrusted(.secret)
    } catch {
      throw StoreDocument.failure("use", path, error)
    }
    do throws(LockError) {
      held = try await FileLock.acquire(path.text, timeout: timeout ?? limits.lock)
    } catch {
      switch error {
      case .timedOut: throw SDKError(.busy, "\(action): another process holds it")
      case .cancelled: throw SDKError(.cancelled, "\(action): cancelled")
      case .system(let error): throw SDKError(.store, "\(action): \(error)")
      }
    }
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let value = try await body()
    held.release()
    return value
  }
}
