public import JSON
import POSIX

/// The profiles on disk, and which of them is current.
///
/// Each profile has a directory, so that finding one takes the same time among ten thousand as
/// among ten.
public struct ProfileStore: Sendable {
  /// Where it is.
  public let location: StoreLocation

  /// Opens a store; nothing is read or made yet.
  public init(_ location: StoreLocation) { self.location = location }

  /// The names of all profiles, sorted.
  ///
  /// - Throws: ``SDKError/Code/store`` if the directory cannot be read.
  public func names() throws(SDKError) -> [ProfileName] {
    do {
      return try Directory.entries(location.profiles).compactMap { try? ProfileName($0) }.sorted()
    } catch {
      guard error.isNotFound else {
        throw SDKError(.store, "could not list the profiles: \(error)")
      }
      return []
    }
  }

  /// Reads a profile.
  ///
  /// - Throws: ``SDKError/Code/noProfile`` when there is none of that name.
  public func profile(_ name: ProfileName) throws(SDKError) -> Profile {
    guard let document = try StoreDocument.read(path(name), .shared) else { throw noProfile(name) }
    do {
      return try Profile(name: name, members: document.members)
    } catch {
      throw SDKError(.invalidConfiguration, "\(error.message) (in '\(document.path)')")
    }
  }

  /// Whether there is a profile of that name.
  public func contains(_ name: ProfileName) -> Bool {
    FileStatus.exists(path(name).text)
  }

  /// Writes a profile; over a file that this version cannot read it writes nothing.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a value is wrong; ``SDKError/Code/store``
  ///   if the file cannot be written.
  public func save(_ profile: Profile) throws(SDKError) {
    try profile.check()
    _ = try StoreDocument.read(path(profile.name), .shared)
    try StoreDocument(path: path(profile.name), secrecy: .shared, members: profile.members).write()
  }

  /// Writes a profile that must be new; the first one becomes the current one.
  ///
  /// What a former profile of that name left behind is removed: none of it is the new one's.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists or a value is wrong;
  ///   ``SDKError/Code/store`` if the files cannot be written.
  public func add(_ profile: Profile) throws(SDKError) {
    try requireAbsent(profile.name)
    try attempt("could not create the profile '\(profile.name)'", as: .store) {
      try Directory.remove(tree: location.state(of: profile.name))
    }
    try save(profile)
    if try current() == nil { try setCurrent(profile.name) }
  }

  /// Renames a profile, with its registration, credentials and pins.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidConfiguration`` if the new name
  ///   exists; ``SDKError/Code/busy`` if another process uses the profile.
  public func rename(_ old: ProfileName, to new: ProfileName) async throws(SDKError) {
    _ = try profile(old)
    try requireAbsent(new)
    let locks = try await ProfileLock.acquireAll(of: old, at: location)
    defer { locks.release() }
    let wasCurrent = try current() == old
    try attempt("could not rename the profile '\(old)'", as: .store) {
      try moveFiles(of: old, to: new)
    }
    if wasCurrent { try setCurrent(new) }
  }

  /// Moves state and configuration, both or none.
  ///
  /// A kill between the two leaves a profile that asks for a login.
  private func moveFiles(of old: ProfileName, to new: ProfileName) throws(SystemError) {
    let (state, newState) = (location.state(of: old), location.state(of: new))
    let hasState = FileStatus.exists(state)
    // What a former profile of that name left behind is not this one's.
    try Directory.remove(tree: newState)
    if hasState { try Directory.rename(state, to: newState) }
    do {
      try Directory.rename(location.configuration(of: old), to: location.configuration(of: new))
    } catch {
      if hasState { try? Directory.rename(newState, to: state) }
      throw error
    }
  }

  /// Removes a profile with its registration, credentials and pins.
  ///
  /// - Returns: why its settings could not be read, if they are damaged; they are removed too.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy`` if another process uses the
  ///   profile; ``SDKError/Code/store`` if a file cannot be removed.
  @discardableResult
  public func remove(_ name: ProfileName) async throws(SDKError) -> SDKError? {
    let damage = try damage(of: name)
    guard contains(name) else { throw noProfile(name) }
    let locks = try await ProfileLock.acquireAll(of: name, at: location)
    defer { locks.release() }
    try attempt("could not remove the profile '\(name)'", as: .store) {
      // The configuration first: who waits for a lock sees that the profile is gone.
      try Directory.remove(tree: location.configuration(of: name))
      try Directory.remove(tree: location.state(of: name))
    }
    if try current() == name { try setCurrent(nil) }
    return damage
  }

  private func damage(of name: ProfileName) throws(SDKError) -> SDKError? {
    do {
      _ = try StoreDocument.read(path(name), .shared)
      return nil
    } catch {
      guard error.isDamage else { throw error }
      return error
    }
  }

  /// The current profile's name; `nil` when none was chosen.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged.
  public func current() throws(SDKError) -> ProfileName? {
    guard let document = try StoreDocument.read(location.configuration, .shared),
      let value = document.members["current"], value != .null
    else { return nil }
    guard let name = value.string else {
      throw SDKError(
        .invalidConfiguration,
        "could not read '\(document.path)': 'current' is \(value.kind), not a string")
    }
    return try ProfileName(name)
  }

  /// Chooses the current profile.
  ///
  /// - Throws: ``SDKError/Code/store`` if the document cannot be written.
  public func setCurrent(_ name: ProfileName?) throws(SDKError) {
    var document = try configuration()
    document.members["current"] = name.map { .string($0.description) }
    try document.write()
  }

  /// Changes a profile on disk; two changes at a time follow one another.
  ///
  /// Nothing is written when the change throws.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; what the change throws; errors of ``save(_:)``.
  public func change(
    _ name: ProfileName, _ change: (inout Profile) throws(SDKError) -> Void
  ) async throws(SDKError) {
    // Looked up before the lock is, so that a wrong name leaves no directory behind.
    guard try StoreDocument.read(path(name), .shared) != nil else { throw noProfile(name) }
    let lock = try await ProfileLock.acquire(.profile, of: name, at: location)
    guard let document = try StoreDocument.read(path(name), .shared) else { throw noProfile(name) }
    // Not checked before the change, which may be what mends it; `save` checks.
    var profile = Profile(unchecked: name, members: document.members)
    try change(&profile)
    try save(profile)
    lock.release()
  }

  /// The aliases of the user: command lines by name.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged.
  public func aliases() throws(SDKError) -> JSONObject {
    (try configuration().members["alias"]?.object ?? [:]).filter { $0.value.string != nil }
  }

  private func configuration() throws(SDKError) -> StoreDocument {
    try StoreDocument.read(location.configuration, .shared)
      ?? StoreDocument(path: location.configuration, secrecy: .shared)
  }

  func noProfile(_ name: ProfileName) -> SDKError {
    SDKError(.noProfile, "could not find the profile '\(name)'", subject: name.description)
  }

  /// Refuses the name of a profile that exists.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if there is one.
  public func requireAbsent(_ name: ProfileName) throws(SDKError) {
    guard !contains(name) else {
      throw SDKError(
        .invalidConfiguration, "could not create the profile '\(name)': it exists already")
    }
  }

  private func path(_ name: ProfileName) -> StorePath {
    location.configFile("profiles/\(name)/profile.json")
  }
}
