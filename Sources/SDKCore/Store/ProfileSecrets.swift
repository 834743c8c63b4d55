import JSON
import POSIX

/// A secret document, with what a message calls it.
struct SecretDocument: Sendable {
  let title: String
  var members: JSONObject

  /// Whether secret members are encrypted under a PIN.
  var isPINSealed: Bool { members[SealedSecretMember.name] != nil }
}

/// The member of a document that has secret members, encrypted to the key of a seal, instead of them.
enum SealedSecretMember {
  static let name = "pinSealed"
}

/// The secret documents of a profile, in the place where it keeps them.
struct ProfileSecrets: Sendable {
  let location: StoreLocation
  let profile: ProfileName
  /// Whose documents, where each user has some.
  var user = UserID.standard
  /// The time that is left for a command; `nil` for no limit.
  var remaining: @Sendable () -> Duration? = { nil }

  /// Reads a document; `nil` if there is none.
  func read(_ name: SecretName) async throws(SDKError) -> SecretDocument? {
    var document = try PlaceDocument(of: profile, at: location)
    while true {
      let place = place(document.entry)
      if let members = try await place.read(path(name)) {
        return SecretDocument(title: place.title(of: path(name)), members: members)
      }
      let former = document
      document = try PlaceDocument(of: profile, at: location)
      // It may have been moved meanwhile.
      guard document.entry != former.entry else { return nil }
    }
  }

  /// Writes a document as a whole.
  func write(_ members: JSONObject, to name: SecretName) async throws(SDKError) {
    let entry = try PlaceDocument(of: profile, at: location).entry
    if entry.place != .files { try makeUserDirectory() }
    try await place(entry).write(members, to: path(name))
    StoreDocument.noteChange()
  }

  /// Removes a document if it exists.
  func remove(_ name: SecretName) async throws(SDKError) {
    try await place().remove(path(name))
    StoreDocument.noteChange()
  }

  /// Proves that a document can be written.
  func proveWritable(_ name: SecretName) async throws(SDKError) {
    try await place().proveWritable(path(name))
  }

  /// What a message calls a document.
  func title(of name: SecretName) throws(SDKError) -> String { try place().title(of: path(name)) }

  /// Whether tokens that were obtained with others, and can be obtained again, may be in files.
  func areInFiles() throws(SDKError) -> Bool {
    try PlaceDocument(of: profile, at: location).entry.place == .files
  }

  private func path(_ name: SecretName) -> String { name.path(of: user) }

  /// Makes the directory by which a user is found, also where nothing of the user is in files.
  private func makeUserDirectory() throws(SDKError) {
    guard user != .standard else { return }
    try attempt("could not make the directory of the user '\(user)'", as: .store) {
      try Directory.create(
        location.state(of: profile) + "/" + ProfileUser.prefix(user), mode: 0o700)
    }
  }

  private func place() throws(SDKError) -> any SecretPlace {
    place(try PlaceDocument(of: profile, at: location).entry)
  }

  func place(_ entry: PlaceDocument.Entry) -> any SecretPlace {
    switch entry.place {
    case .files: FilePlace(location: location, profile: profile)
    case .helper(let name): HelperPlace(name: name, id: entry.id, remaining: remaining)
    }
  }
}
