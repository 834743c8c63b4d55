import POSIX

/// The lock of one identity: no two tasks or processes obtain or renew it at a time.
///
/// It is taken after ``ProfileLock/enrolment`` and before all that follow that one, which a debug
/// build checks (``LockOrder``).
enum IdentityLock {
  /// Waits for the lock.
  ///
  /// - Throws: ``SDKError/Code/busy`` if it is not free in time.
  static func acquire(
    _ name: IdentityName, of profile: ProfileName, at location: StoreLocation,
    waiting timeout: Duration
  ) async throws(SDKError) -> FileLock {
    let path = location.stateFile("profiles/\(profile)/locks/identity-\(name).lock")
    assert(
      timeout <= .zero || LockOrder.allows(.identity, in: path.directory),
      "the lock of the identity '\(name)' is taken out of order: \(LockOrder.held) are held")
    do throws(SystemError) {
      try Directory.create(path.directory, mode: 0o700)
      try path.requireTrusted(.secret)
    } catch {
      throw StoreDocument.failure("use", path, error)
    }
    return try await FileLock.acquire(
      path.text, waiting: timeout, action: "could not get the lock of the identity '\(name)'")
  }
}

extension SessionEnvironment {
  /// Holds the lock of one identity while the body obtains or renews it.
  func lockedIdentity<Value: Sendable>(
    _ name: IdentityName, waiting timeout: Duration? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let held = try await IdentityLock.acquire(
      name, of: profile.name, at: location, waiting: timeout ?? clock.limits.lock)
    guard store.contains(profile.name) else { throw store.noProfile(profile.name) }
    let taken = LockOrder.Held(
      lock: .identity, directory: location.lock(.enrolment, of: profile.name).directory)
    let value = try await LockOrder.holding(LockOrder.held + [taken], body)
    held.release()
    return value
  }
}
