import POSIX
public import Primitives

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
  var seal: SlotSeal?

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
