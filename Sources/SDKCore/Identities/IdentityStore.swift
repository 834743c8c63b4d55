import POSIX
public import Primitives
import Synchronization

/// The identities of a profile on disk.
public struct IdentityStore: Sendable {
  /// Returns the passphrase of a sealed identity; throws if nobody gives it.
  public typealias Unlock = @Sendable (Identity) async throws(SDKError) -> [UInt8]

  /// Returns the PIN of a security token that is needed; throws if nobody gives it.
  public typealias PINSource =
    @Sendable (SecurityToken) async throws(SDKError) -> [UInt8]

  let profiles: ProfileStore
  let profile: ProfileName
  let files: IdentityFiles
  var unlock: Unlock?
  let pin: PINSource?
  let now: @Sendable () -> Timestamp
  /// Opens the keys that the profile's passcode seals; `nil` outside a session.
  var seal: UserSeal?

  /// Opens the identities of a profile; nothing is read yet.
  public init(
    _ profiles: ProfileStore, _ profile: ProfileName, unlock: Unlock? = nil, pin: PINSource? = nil,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.profiles = profiles
    self.profile = profile
    files = IdentityFiles(location: profiles.location, profile: profile)
    self.unlock = unlock
    self.pin = pin
    self.now = now
  }

  /// The names of all identities, sorted; also of those that cannot be read.
  ///
  /// - Throws: ``SDKError/Code/store`` if the directory cannot be read.
  public func names() throws(SDKError) -> [IdentityName] { try files.names() }

  /// Reads an identity; its key stays sealed.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is none of that name.
  public func identity(named name: IdentityName) throws(SDKError) -> Identity {
    guard let identity = try files.stored(name) else { throw noIdentity(name) }
    return identity
  }

  /// Writes an identity in place of the one of the same name.
  ///
  /// - Throws: ``SDKError/Code/noProfile`` if the profile was removed; ``SDKError/Code/store`` if
  ///   it cannot be written.
  public func save(_ identity: Identity) async throws(SDKError) {
    try await locked { () throws(SDKError) in try files.write(identity) }
  }

  /// Deletes an identity; a requested one of the same name stays.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is none of that name.
  public func remove(_ name: IdentityName) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      guard try files.names().contains(name) else { throw noIdentity(name) }
      try files.erase(name)
    }
  }

  func noIdentity(_ name: IdentityName) -> SDKError {
    SDKError(
      .identity, "could not find the identity '\(name)' of '\(profile)'",
      subject: name.description)
  }

  /// Writes key and chain into one PEM file beside the identity, mode 0600, which is replaced
  /// whenever the identity is.
  ///
  /// - Returns: its path.
  /// - Throws: ``SDKError/Code/identity`` if the key is sealed or in a security token.
  public func publish(_ identity: Identity) async throws(SDKError) -> String {
    try await locked { () throws(SDKError) in try files.publish(identity) }
  }

  func locked<Value: Sendable>(
    _ body: () throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await profiles.holding(.identities, of: profile, body)
  }
}

extension ProfileLock {
  /// Waits for the lock of one identity: no two tasks or processes obtain or renew it at a time.
  ///
  /// It is taken after ``ProfileLock/enrolment`` and before all that follow that one.
  static func acquire(
    identity name: IdentityName, of profile: ProfileName, at location: StoreLocation,
    waiting timeout: Duration
  ) async throws(SDKError) -> FileLock {
    try await FileLock.acquire(
      location.stateFile("profiles/\(profile)/locks/identity-\(name).lock"), .identity,
      waiting: timeout, action: "could not get the lock of the identity '\(name)'")
  }
}

extension SessionEnvironment {
  func lockedIdentity<Value: Sendable>(
    _ name: IdentityName, waiting timeout: Duration? = nil,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await store.holding(.identity, of: profile.name, body) { () async throws(SDKError) in
      try await ProfileLock.acquire(
        identity: name, of: profile.name, at: location, waiting: timeout ?? clock.limits.lock)
    }
  }
}

/// The sealed keys and the security tokens that a session has opened: the passphrase or the PIN of
/// each is asked for once.
final class OpenedKeys: Sendable {
  private let store: IdentityStore
  let seals: ProfileSeals
  private let openings = Mutex<[ClientCertificateChain: SharedTask<Identity>]>([:])

  init(_ store: IdentityStore, _ seals: ProfileSeals) {
    self.store = store
    self.seals = seals
  }

  /// The identity with its key unsealed; tasks that ask at the same time share the passphrase.
  ///
  /// Called before a lock is taken: a person may take longer than others wait for the lock.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the passphrase is wrong or not given. The next call asks
  ///   again, but not for the PIN of a security token: wrong ones lock it.
  func unsealed(_ sealed: Identity) async throws(SDKError) -> Identity {
    if case .pem = sealed.key { return sealed }
    let opening = openings.withLock { openings in
      let opening = openings[sealed.chain] ?? SharedTask()
      openings[sealed.chain] = opening
      return opening
    }
    return try await opening.value(keepsFailure: sealed.key.isInSecurityToken) {
      [store] () throws(SDKError) in try await store.unsealed(sealed)
    }
  }
}
