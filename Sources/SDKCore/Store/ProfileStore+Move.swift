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
    return try await holdingAll(of: name) { () async throws(SDKError) in
      try await moveSecrets(of: name, to: place)
    }
  }

  /// Moves the secrets of a profile whose locks are held.
  private func moveSecrets(
    of name: ProfileName, to place: StorePlace
  ) async throws(SDKError) -> Bool {
    let (secrets, users) = (
      ProfileSecrets(location: location, profile: name), try allUsers(of: name)
    )
    var document = try PlaceDocument(of: name, at: location)
    guard document.entry.place != place || document.other != nil else { return false }
    if let other = document.other, document.entry.place == place || other.place != place {
      try await erase(secrets.place(other), users)
      document.other = nil
      try document.write(of: name, at: location)
    }
    guard document.entry.place != place else { return true }
    let target =
      if let other = document.other { other } else {
        try PlaceDocument.Entry(new: place, for: name)
      }
    let (from, to) = (secrets.place(document.entry), secrets.place(target))
    // Before anything is changed: the place answers.
    _ = try await to.read(SecretName.registration.path(of: .standard))
    try attempt("could not move the secrets of '\(name)'", as: .store) {
      for user in users {
        let derived = ProfileUser(profile: name, id: user).document("credentials/derived")
        try Directory.remove(tree: location.stateFile(derived).text)
      }
    }
    document.other = target
    try document.write(of: name, at: location)
    for path in SecretName.paths(users) {
      guard let members = try await from.read(path) else {
        try await to.remove(path)
        continue
      }
      try await to.write(members, to: path)
      guard try await to.read(path) == members else {
        throw SDKError(
          .store, "could not move '\(from.title(of: path))': '\(place)' gives back something else")
      }
    }
    (document.entry, document.other) = (target, document.entry)
    try document.write(of: name, at: location)
    try await erase(from, users)
    document.other = nil
    try document.write(of: name, at: location)
    return true
  }

  /// Erases the secrets of a profile that are not in files; needs the locks of the profile.
  ///
  /// - Returns: why it is not known where they are; `nil` if it is.
  func eraseSecretsElsewhere(of name: ProfileName) async throws(SDKError) -> SDKError? {
    let document: PlaceDocument
    do throws(SDKError) { document = try PlaceDocument(of: name, at: location) } catch {
      guard error.isDamage else { throw error }
      return error
    }
    let secrets = ProfileSecrets(location: location, profile: name)
    for entry in [document.entry, document.other].compactMap(\.self) where entry.place != .files {
      try await erase(secrets.place(entry), try allUsers(of: name))
    }
    return nil
  }

  private func erase(_ place: any SecretPlace, _ users: [UserID]) async throws(SDKError) {
    for path in SecretName.paths(users) { try await place.remove(path) }
    StoreDocument.noteChange()
  }
}

extension SecretName {
  /// The paths of all documents of a profile with these users.
  fileprivate static func paths(_ users: [UserID]) -> [String] {
    [registration.path(of: .standard)] + users.flatMap { user in ofUser.map { $0.path(of: user) } }
  }
}

/// Where a profile keeps its secrets.
public struct SecretPlaceStatus: Sendable, Hashable {
  /// The place that it uses.
  public let place: StorePlace
  /// A place that may hold some of them too, because a move did not end; `nil` if there is none.
  public let unfinished: StorePlace?
}
