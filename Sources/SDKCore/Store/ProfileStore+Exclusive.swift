import POSIX

extension ProfileStore {
  /// Runs the body while no other process adds a profile or chooses the current one.
  ///
  /// The body takes no other lock that is waited for, and is short.
  ///
  /// - Throws: ``SDKError/Code/busy`` if another process holds the lock for ten seconds.
  package func exclusively<Value>(
    _ body: () throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let path = location.stateFile("profiles.lock")
    let lock: FileLock
    do throws(SystemError) {
      try Directory.create(path.directory, mode: 0o700)
      try path.requireTrusted(.secret)
    } catch {
      throw StoreDocument.failure("use", path, error)
    }
    do throws(LockError) {
      lock = try await FileLock.acquire(path.text, timeout: .seconds(10))
    } catch {
      switch error {
      case .timedOut:
        throw SDKError(.busy, "could not change the profiles: another process holds their lock")
      case .cancelled: throw SDKError(.cancelled, "could not change the profiles: cancelled")
      case .system(let error): throw StoreDocument.failure("use", path, error)
      }
    }
    let value = try body()
    lock.release()
    return value
  }
}
