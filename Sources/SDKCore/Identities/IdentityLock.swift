import POSIX

/// The lock of one identity: no two tasks or processes obtain or renew it at a time.
///
/// It is taken after ``ProfileLock/enrolment`` and before all that follow that one, which a debug
/// build checks (``LockOrder``).
enum IdentityLock {
  static func acquire(
    _ name: IdentityName, of profile: ProfileName, at location: StoreLocation,
    waiting timeout: Duration
  ) async throws(SDKError) -> FileLock {
    try await FileLock.acquire(
      location.stateFile("profiles/\(profile)/locks/identity-\(name).lock"), .identity,
      of: profile, waiting: timeout, action: "could not get the lock of the identity '\(name)'")
  }
}

extension SessionEnvironment {
  /// Holds the lock of one identity while the body obtains or renews it.
  func lockedIdentity<Value: Sendable>(
    _ name: IdentityName, waiting timeout: Duration? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await store.holding(.identity, of: profile.name, body) { () async throws(SDKError) in
      try await IdentityLock.acquire(
        name, of: profile.name, at: location, waiting: timeout ?? clock.limits.lock)
    }
  }
}
