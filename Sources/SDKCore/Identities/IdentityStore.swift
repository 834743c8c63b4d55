import JSON
import POSIX
public import Primitives

/// The identities of a profile on disk: one directory each, mode 0700, with `identity.json`, 0600.
///
/// Certificate and key are in one document, so that a kill at any instant leaves the old pair or
/// the new one.
public struct IdentityStore: Sendable {
  /// Returns the passphrase of a sealed identity; throws if nobody gives it.
  public typealias Unlock = @Sendable (Identity) async throws(SDKError) -> [UInt8]

  /// Returns the PIN of a security device that is needed; throws if nobody gives it.
  public typealias PINSource =
    @Sendable (SecurityDevice) async throws(SDKError) -> [UInt8]

  let profiles: ProfileStore
  let profile: ProfileName
  let unlock: Unlock?
  let pin: PINSource?
  let now: @Sendable () -> Timestamp

  /// Opens the identities of a profile; nothing is read yet.
  ///
  /// - Parameters:
  ///   - profiles: the store of the profile.
  ///   - profile: the profile.
  ///   - unlock: asks for the passphrase of a sealed identity that is needed.
  ///   - pin: asks for the PIN of a security device that is needed.
  ///   - now: returns the time.
  public init(
    _ profiles: ProfileStore, _ profile: ProfileName, unlock: Unlock? = nil, pin: PINSource? = nil,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.profiles = profiles
    self.profile = profile
    self.unlock = unlock
    self.pin = pin
    self.now = now
  }

  /// The names of all identities, sorted; also of those that cannot be read.
  ///
  /// - Throws: ``SDKError/Code/store`` if the directory cannot be read.
  public func names() throws(SDKError) -> [IdentityName] {
    try directories().filter { FileStatus.exists(path($0).text) }
  }

  /// The names of all identities, and of those that are only requested.
  func directories() throws(SDKError) -> [IdentityName] {
    do {
      return try Directory.entries(directory).compactMap { try? IdentityName($0) }.sorted()
    } catch {
      guard error.isNotFound else {
        throw SDKError(.store, "could not list the identities of '\(profile)': \(error)")
      }
      return []
    }
  }

  /// Reads an identity; its key stays sealed.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is none of that name.
  public func identity(named name: IdentityName) throws(SDKError) -> Identity {
    guard let identity = try stored(name) else { throw noIdentity(name) }
    return identity
  }

  /// Writes an identity in place of the one of the same name.
  ///
  /// - Throws: ``SDKError/Code/noProfile`` if the profile was removed; ``SDKError/Code/store`` if
  ///   it cannot be written.
  public func save(_ identity: Identity) async throws(SDKError) {
    try await locked { () throws(SDKError) in try write(identity) }
  }

  /// Writes an identity; in the lock, or in that of what it belongs to.
  func write(_ identity: Identity) throws(SDKError) {
    let path = path(identity.name)
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    identity.write(to: &document.members)
    try document.write()
    try refreshFile(of: identity)
  }

  /// Deletes an identity; a requested one of the same name stays.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is none of that name.
  public func remove(_ name: IdentityName) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      guard FileStatus.exists(path(name).text) else { throw noIdentity(name) }
      try erase(name)
    }
  }

  /// Removes the files of an identity, in the lock.
  func erase(_ name: IdentityName) throws(SDKError) {
    // The document first: without it there is no identity, whatever else is left.
    try erase("identity.json", of: name)
    try erase("client.pem", of: name)
  }

  /// Removes a file of an identity, and its directory if it has no document any more, in the lock.
  func erase(_ file: String, of name: IdentityName) throws(SDKError) {
    try StoreDocument(path: self.file(file, of: name), secrecy: .secret).remove()
    let place = "\(directory)/\(name)"
    do throws(SystemError) {
      let names = try Directory.entries(place)
      if !names.contains("identity.json"), !names.contains("request.json") {
        try Directory.remove(tree: place)
      }
    } catch {
      guard error.isNotFound else {
        throw SDKError(.store, "could not delete the identity '\(name)': \(error)")
      }
    }
  }

  func noIdentity(_ name: IdentityName) -> SDKError {
    SDKError(
      .identity, "could not find the identity '\(name)' of '\(profile)'",
      subject: name.description)
  }

  /// Reads an identity; `nil` if there is none of that name.
  func stored(_ name: IdentityName) throws(SDKError) -> Identity? {
    guard let document = try StoreDocument.read(path(name), .secret) else { return nil }
    return try Identity(name: name, members: document.members, path: document.path)
  }

  func locked<Value: Sendable>(
    _ body: () throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard profiles.contains(profile) else { throw profiles.noProfile(profile) }
    let lock = try await ProfileLock.acquire(.identities, of: profile, at: profiles.location)
    // A removed profile must not get any file again.
    guard profiles.contains(profile) else { throw profiles.noProfile(profile) }
    let value = try body()
    lock.release()
    return value
  }

  private var directory: String { profiles.location.state(of: profile) + "/identities" }

  private func path(_ name: IdentityName) -> StorePath { file("identity.json", of: name) }

  /// A file of an identity.
  func file(_ name: String, of identity: IdentityName) -> StorePath {
    profiles.location.stateFile("profiles/\(profile)/identities/\(identity)/\(name)")
  }
}
