import JSON
import POSIX

package enum ProfileUser {
  /// The path of a document of a user, below the state of the profile.
  ///
  /// Those of ``UserID/standard`` are the profile's own, so that a profile with one user has no directory of users.
  static func path(of document: String, _ id: UserID) -> String { prefix(id) + document }

  /// What the paths of a user's documents begin with, below the state of the profile.
  static func prefix(_ id: UserID) -> String { id == .standard ? "" : "\(folder)/\(id)/" }

  /// The directory of all users but the first, below the state of the profile.
  package static let folder = "users"

  /// The document that names the current user, below the state of the profile.
  static let choice = "users.json"
}

extension ProfileStore {
  /// The users of a profile: those who have logged in, and the current one; the first one first.
  ///
  /// - Throws: ``SDKError/Code/store`` if they cannot be listed.
  public func users(of name: ProfileName) throws(SDKError) -> [UserID] {
    let others = try namedUsers(of: name)
    let current = try currentUser(of: name)
    let hasFirst = if current == .standard { true } else { try hasCredentials(name) }
    return (hasFirst ? [.standard] : []) + others
  }

  /// The user whose slots commands use: the first one who logged in, or whom ``setCurrentUser(_:of:)`` chose.
  ///
  /// A profile without a choice costs no read.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the file has no ID; errors of the store.
  public func currentUser(of name: ProfileName) throws(SDKError) -> UserID {
    let path = choice(of: name)
    guard path.exists, let document = try StoreDocument.read(path, .secret) else {
      return .standard
    }
    guard let id = document.members["current"]?.string.flatMap({ try? UserID($0) }) else {
      throw StoreDocument.damage(
        path.text, "'current' is missing or not the ID of a user", as: .invalidConfiguration)
    }
    return id
  }

  /// Whether a user was chosen, or the first one is logged in.
  func hasCurrentUser(of name: ProfileName) async throws(SDKError) -> Bool {
    if choice(of: name).exists { return true }
    return try await secretDocuments(of: name, .standard).read(.tokens(.user)) != nil
  }

  /// Makes a user the current one.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy``; errors of the store.
  func setCurrentUser(_ id: UserID, of name: ProfileName) async throws(SDKError) {
    guard try currentUser(of: name) != id else { return }
    let path = choice(of: name)
    try await holding(.profile, of: name) { () throws(SDKError) in
      guard id != .standard else { return try StoreDocument(path: path, secrecy: .secret).remove() }
      try StoreDocument(
        path: path, secrecy: .secret, members: ["current": .string(id.description)]
      ).write()
    }
  }

  /// Removes what is left of a user whose slots are empty; the current user is then the first one.
  func remove(_ id: UserID, of name: ProfileName) async throws(SDKError) {
    if try currentUser(of: name) == id { try await setCurrentUser(.standard, of: name) }
    guard id != .standard else { return }
    let secrets = secretDocuments(of: name, id)
    for secret in ProfileFile.ofUser { try await secrets.remove(secret) }
    try attempt("could not remove the user '\(id)' of '\(name)'", as: .store) {
      try Directory.remove(tree: "\(location.state(of: name))/\(ProfileUser.folder)/\(id)")
    }
  }

  /// The first user, who may have nothing, and those who have a directory.
  func allUsers(of name: ProfileName) throws(SDKError) -> [UserID] {
    [.standard] + (try namedUsers(of: name))
  }

  func namedUsers(of name: ProfileName) throws(SDKError) -> [UserID] {
    try userEntries(of: name).compactMap { try? UserID($0) }.filter { $0 != .standard }.sorted()
  }

  /// The names in the directory of users, whatever they are.
  func userEntries(of name: ProfileName) throws(SDKError) -> [String] {
    try attempt("could not list the users of '\(name)'", as: .store) {
      try Directory.entriesIfPresent("\(location.state(of: name))/\(ProfileUser.folder)")
    }
  }

  /// Whether the first user has tokens, as far as files tell.
  private func hasCredentials(_ name: ProfileName) throws(SDKError) -> Bool {
    guard try PlaceDocument(of: name, at: location).entry.place == .files else { return true }
    return CredentialSlot.allCases.contains {
      location.stateFile("profiles/\(name)/credentials/\($0.rawValue).json").exists
    }
  }

  private func choice(of name: ProfileName) -> StorePath {
    location.stateFile("profiles/\(name)/\(ProfileUser.choice)")
  }
}
