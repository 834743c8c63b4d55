import JSON
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
  /// They are copied, read again and compared before the profile uses the copies, and only then erased in the former
  /// place. After a kill the profile uses one of the two places, which has all of them; the same call goes on.
  ///
  /// - Returns: whether anything was to be done.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy`` if another process uses the profile;
  ///   ``SDKError/Code/store`` if one of the places fails: then the profile uses the place that it used.
  @discardableResult
  public func move(
    secretsOf name: ProfileName, to place: StorePlace,
    by connection: StoreConnection = StoreConnection()
  ) async throws(SDKError) -> Bool {
    guard contains(name) else { throw noProfile(name) }
    try await secretDocuments(of: name).update()
    return try await holdingAll(of: name) { () async throws(SDKError) in
      // Other machines must not change what is moved.
      let former = try secretDocuments(of: name).place(
        try PlaceDocument(of: name, at: location).entry)
      return try await former.locked(all: ProfileFile.movable(try allUsers(of: name))[...]) {
        () async throws(SDKError) in
        try await moveSecrets(of: name, to: place, by: connection)
      }
    }
  }

  private func moveSecrets(
    of name: ProfileName, to place: StorePlace, by connection: StoreConnection
  ) async throws(SDKError) -> Bool {
    let (secrets, users) = (secretDocuments(of: name), try allUsers(of: name))
    var document = try PlaceDocument(of: name, at: location)
    guard document.entry.place != place || document.other != nil else { return false }
    if let other = document.other, document.entry.place == place || other.place != place {
      try await erase(try secrets.place(other), users)
      document.other = nil
      try document.write(of: name, at: location)
    }
    guard document.entry.place != place else { return true }
    let target =
      if let other = document.other { other } else {
        try PlaceDocument.Entry(new: place, connection, for: name)
      }
    let (from, to) = (try secrets.place(document.entry), try secrets.place(target))
    let isRepeated = document.other != nil
    // Before anything is changed.
    if !isRepeated {
      do throws(SDKError) { try await to.requireUnused() } catch {
        throw error.during("could not move the secrets of '\(name)'")
      }
    }
    if place.isShared { try await requireShareable(from, users, name) }
    try attempt("could not move the secrets of '\(name)'", as: .store) {
      for user in users {
        let derived = location.userFile("credentials/derived", of: user, name)
        try Directory.remove(tree: derived.text)
      }
    }
    document.other = target
    try document.write(of: name, at: location)
    var moved: [String] = []
    for path in ProfileFile.movable(users) {
      guard let members = try await from.read(path) else {
        try await to.remove(path)
        continue
      }
      try await to.write(members, to: path)
      guard try await to.read(path) == members else {
        throw SDKError(
          .store, "could not move '\(from.title(of: path))': '\(place)' gives back something else")
      }
      moved.append(path)
    }
    if place.isShared {
      try await to.write(try profile(name).members, to: ProfileFile.settings)
      if let pins = try pinDocument(of: name) {
        try await to.write(pins.members, to: ProfileFile.pins)
      }
      try await to.publish(
        moved + [ProfileFile.settings, ProfileFile.pins], replacing: isRepeated)
    }
    (document.entry, document.other) = (target, document.entry)
    try document.write(of: name, at: location)
    try await erase(from, users)
    document.other = nil
    try document.write(of: name, at: location)
    return true
  }

  /// Refuses what is sealed under a passcode of this machine, and a key of an identity.
  private func requireShareable(
    _ place: any SecretPlace, _ users: [UserID], _ name: ProfileName
  ) async throws(SDKError) {
    // A later login is sealed too.
    var isSealed = false
    for user in users where try !SealDocument(of: user, name, at: location).parts.isEmpty {
      isSealed = true
    }
    for path in ProfileFile.movable(users) {
      let members = try await place.read(path)
      let cause: String? =
        if isSealed || members?[ProfileFile.sealedMember] != nil {
          "its secrets are sealed under a passcode of this machine"
        } else if members?["identity"] != nil || members?["certificate"] != nil {
          "its client certificate stays on this machine"
        } else { nil }
      if let cause {
        throw SDKError(
          .policy, "could not move the secrets of '\(name)': \(cause)", subject: name.description)
      }
    }
  }

  /// Erases the secrets of a profile that are not in files; needs the locks of the profile.
  ///
  /// Those in a shared place stay: other machines use them.
  ///
  /// - Returns: why it is not known where they are; `nil` if it is.
  func eraseSecretsElsewhere(of name: ProfileName) async throws(SDKError) -> SDKError? {
    let document: PlaceDocument
    do throws(SDKError) { document = try PlaceDocument(of: name, at: location) } catch {
      guard error.isDamage else { throw error }
      return error
    }
    let secrets = secretDocuments(of: name)
    for entry in [document.entry, document.other].compactMap(\.self)
    where entry.place != .files && !entry.place.isShared {
      try await erase(try secrets.place(entry), try allUsers(of: name))
    }
    return nil
  }

  private func erase(_ place: any SecretPlace, _ users: [UserID]) async throws(SDKError) {
    try await place.withdraw(ProfileFile.movable(users) + [ProfileFile.settings, ProfileFile.pins])
    StoreDocument.noteChange()
  }
}

extension SecretPlace {
  fileprivate func locked<Value: Sendable>(
    all paths: ArraySlice<String>, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard let path = paths.first else { return try await body() }
    return try await locked(
      path, waiting: .seconds(60), mustRun: false,
      unless: { () async throws(SDKError) -> Value? in nil }
    ) { (_) async throws(SDKError) in try await locked(all: paths.dropFirst(), body) }
  }
}

/// Where a profile keeps its secrets.
public struct SecretPlaceStatus: Sendable, Hashable {
  /// The place that it uses.
  public let place: StorePlace
  /// A place that may hold some of them too, because a move did not end; `nil` if there is none.
  public let unfinished: StorePlace?
}
