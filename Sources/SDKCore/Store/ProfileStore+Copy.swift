import JSON
import POSIX

extension ProfileStore {
  /// Copies a profile's settings and pins; no secret, and nothing that a server knows.
  ///
  /// The copy is made in a directory of its own and renamed: a kill leaves the whole copy or none.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidConfiguration`` if the new name
  ///   exists; ``SDKError/Code/busy`` if another process changes the profile.
  public func copy(_ old: ProfileName, to new: ProfileName) async throws(SDKError) {
    guard contains(old) else { throw noProfile(old) }
    try requireAbsent(new)
    var locks: HeldLocks?
    if isOwn(old) {
      locks = try await ProfileLock.acquire([.profile, .pins], of: old, at: location)
    }
    defer { locks?.release() }
    let settings = try profile(old)
    let pins = try pinDocument(of: old)
    try removeFormerState(of: new)
    try stage(settings.members, pins, as: new)
  }

  /// The pins of a profile: the user's, else the site's; `nil` if there are none.
  func pinDocument(of name: ProfileName) throws(SDKError) -> StoreDocument? {
    guard isOfSite(name), let path = location.siteFile("profiles/\(name)/pins.json") else {
      return try StoreDocument.read(location.configFile("profiles/\(name)/pins.json"), .shared)
    }
    return try StoreDocument.read(path, .site)
  }

  private func stage(
    _ settings: JSONObject, _ pins: StoreDocument?, as new: ProfileName
  ) throws(SDKError) {
    let action = "could not create the profile '\(new)'"
    // What a killed copy left behind.
    try? LeftoverFiles.sweep(location.profiles)
    let name = LeftoverFiles.name()
    let staged = "\(location.profiles)/\(name)"
    defer { try? Directory.remove(tree: staged) }
    for (file, members) in [("profile", settings), ("pins", pins?.members)] {
      guard let members else { continue }
      try StoreDocument(
        path: location.configFile("profiles/\(name)/\(file).json"), secrecy: .shared,
        members: members
      ).write()
    }
    try attempt(action, as: .store) {
      try Directory.rename(staged, to: location.configuration(of: new))
    }
  }
}
