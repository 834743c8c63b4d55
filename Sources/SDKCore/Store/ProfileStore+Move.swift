import POSIX

extension ProfileStore {
  /// Where a profile keeps its secrets.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; errors of the store.
  public func place(of name: ProfileName) throws(SDKError) -> SecretPlaceStatus {
    guard contains(name) else { throw noProfile(name) }
    let document = try PlaceDocument(of: name, at: location)
    return SecretPlaceStatus(place: document.entry.place, unfinished: document.other?.place)
  }

  /// Moves the secrets of a profile to another place.
  ///
  /// They are copied, read again and compared before the profile uses the copies, and only then erased in
  /// the former place. After a kill the profile uses one of the two places, which has all of them; the same
  /// call goes on.
  ///
  /// - Returns: whether anything was to be done.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy`` if another process uses the profile;
  ///   ``SDKError/Code/store`` if one of the places fails: then the profile uses the place that it used.
  @discardableResult
  public func move(
    secretsOf name: ProfileName, to place: StorePlace
  ) async throws(SDKError) -> Bool {
    guard contains(name) else { throw noProfile(name) }
    let locks = try await ProfileLock.acquireAll(of: name, at: location)
    defer { locks.release() }
    let secrets = ProfileSecrets(location: location, profile: name)
    var document = try PlaceDocument(of: name, at: location)
    guard document.entry.place != place || document.other != nil else { return false }
    if let other = document.other, document.entry.place == place || other.place != place {
      try await erase(secrets.place(other))
      document.other = nil
      try document.write(of: name, at: location)
    }
    guard document.entry.place != place else { return true }
    try attempt("could not move the secrets of '\(name)'", as: .store) {
      try Directory.remove(tree: location.derivedTokens(of: name))
    }
    let target =
      if let other = document.other { other } else {
        try PlaceDocument.Entry(new: place, for: name)
      }
    document.other = target
    try document.write(of: name, at: location)
    let (from, to) = (secrets.place(document.entry), secrets.place(target))
    for name in SecretName.all {
      guard let members = try await from.read(name) else {
        try await to.remove(name)
        continue
      }
      try await to.write(members, to: name)
      guard try await to.read(name) == members else {
        throw SDKError(
          .store, "could not move '\(from.title(of: name))': '\(place)' gives back something else")
      }
    }
    (document.entry, document.other) = (target, document.entry)
    try document.write(of: name, at: location)
    try await erase(from)
    document.other = nil
    try document.write(of: name, at: location)
    return true
  }

  /// Erases the secrets of a profile that are not in files; needs the locks of the profile.
  func eraseSecretsElsewhere(of name: ProfileName) async throws(SDKError) {
    let document = try PlaceDocument(of: name, at: location)
    let secrets = ProfileSecrets(location: location, profile: name)
    for entry in [document.entry, document.other].compactMap(\.self) where entry.place != .files {
      try await erase(secrets.place(entry))
    }
  }

  private func erase(_ place: any SecretPlace) async throws(SDKError) {
    for name in SecretName.all { try await place.remove(name) }
    StoreDocument.noteChange()
  }
}

/// Where a profile keeps its secrets.
public struct SecretPlaceStatus: Sendable, Hashable {
  /// The place that it uses.
  public let place: StorePlace
  /// A place that may hold some of them too, because a move did not end; `nil` if there is none.
  public let unfinished: StorePlace?
}
