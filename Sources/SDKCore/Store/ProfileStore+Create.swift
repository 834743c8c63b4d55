package import JSON
import POSIX

extension ProfileStore {
  /// Copies a profile's settings and pins; no secret, and nothing that a server knows.
  ///
  /// The copy is made in a directory of its own and renamed: a kill leaves the whole copy or none.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidConfiguration`` if the new name
  ///   exists; ``SDKError/Code/busy`` if another process changes the profile.
  public func copy(_ old: ProfileName, to new: ProfileName) async throws(SDKError) {
    try requireAbsent(new)
    var locks: HeldLocks?
    if isOwn(old) {
      locks = try await ProfileLock.acquire(
        [.profile, .pins], of: old, at: location, waiting: wait(atMost: .seconds(60)))
    }
    defer { locks?.release() }
    let settings = try profile(old)
    let pins = try pinDocument(of: old)
    try await exclusively { () throws(SDKError) in
      try create(new, settings: settings.members, pins: pins?.members)
    }
  }

  /// The pins of a profile: the user's, else the site's; `nil` if there are none.
  func pinDocument(of name: ProfileName) throws(SDKError) -> StoreDocument? {
    guard isOfSite(name), let path = location.siteFile("profiles/\(name)/pins.json") else {
      return try StoreDocument.read(location.configFile("profiles/\(name)/pins.json"), .shared)
    }
    return try StoreDocument.read(path, .site)
  }

  /// Creates a profile in one step: a kill leaves the whole profile or none.
  ///
  /// What a former profile of that name left behind is removed: none of it is the new one's. For a caller
  /// of ``exclusively(_:)``; `writeState` runs before any other process can see the profile.
  package func create(
    _ name: ProfileName, settings: JSONObject, pins: JSONObject?,
    _ writeState: () throws(SDKError) -> Void = {}
  ) throws(SDKError) {
    try requireAbsent(name)
    try attempt("could not create the profile '\(name)'", as: .store) {
      try Directory.remove(tree: location.state(of: name))
      try Directory.remove(tree: location.configuration(of: name))
    }
    // What a killed process left behind.
    try? LeftoverFiles.sweep(location.profiles)
    let staged = LeftoverFiles.name()
    defer { try? Directory.remove(tree: "\(location.profiles)/\(staged)") }
    do throws(SDKError) {
      try writeState()
      for (file, members) in [("profile", settings), ("pins", pins)] {
        guard let members else { continue }
        try StoreDocument(
          path: location.configFile("profiles/\(staged)/\(file).json"), secrecy: .shared,
          members: members
        ).write()
      }
      try attempt("could not create the profile '\(name)'", as: .store) {
        try Directory.rename(
          "\(location.profiles)/\(staged)", to: location.configuration(of: name))
      }
    } catch {
      try? Directory.remove(tree: location.state(of: name))
      throw error
    }
  }
}

extension ProfileStore {
  /// Runs the body while no other process adds a profile or chooses the current one.
  ///
  /// The body takes no other lock that is waited for, and is short.
  package func exclusively<Value>(
    _ body: () throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let lock = try await FileLock.acquire(
      location.stateFile("profiles.lock"), waiting: wait(atMost: .seconds(10)),
      action: "could not get the lock of the profiles")
    let value = try body()
    lock.release()
    return value
  }
}
