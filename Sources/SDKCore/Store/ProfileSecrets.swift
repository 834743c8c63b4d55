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

/// The secret members of the document of a registration.
enum RegistrationSecrets {
  static let keys = ["key", "encryptionKey"]
  /// Those of its member `client`.
  static let ofClient = ["client_secret", "registration_access_token"]
}

/// The secret documents of a profile, in the place where it keeps them.
struct ProfileSecrets: Sendable {
  let location: StoreLocation
  let profile: ProfileName
  /// Whose documents, where each user has some.
  var user = UserID.standard
  /// Makes places that machines share; `nil` for none.
  var places: (any SharedPlaces)?
  /// The time that is left for a command; `nil` for no limit.
  var remaining: @Sendable () -> Duration? = { nil }

  /// How a document is read.
  enum Reading {
    /// For its use only: what the machine keeps of it will do.
    case recent
    /// What the machine has of it, for what is shown.
    case local
    /// As it is stored, or as it was read under the lock that is held.
    case stored
    /// As it is stored now.
    case again
  }

  /// Reads a document; `nil` if there is none.
  func read(
    _ name: SecretName, _ reading: Reading = .stored
  ) async throws(SDKError) -> SecretDocument? {
    var document = try PlaceDocument(of: profile, at: location)
    while true {
      let place = place(document.entry)
      let members =
        switch reading {
        case .recent: try await place.readRecent(path(name))
        case .local: try await place.readLocal(path(name))
        case .stored: try await place.read(path(name))
        case .again: try await place.readAgain(path(name))
        }
      if let members {
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

  /// Runs the body under the lock of the place, if the place has one for what a lock of the machine guards.
  ///
  /// The lock of the machine is held already.
  func locked<Value: Sendable>(
    _ lock: ProfileLock, waiting timeout: Duration,
    unless done: () async throws(SDKError) -> Value?,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard let name = lock.secret else { return try await body() }
    return try await place().locked(path(name), waiting: timeout, unless: done, body)
  }

  /// Stores what was written under locks that are still held.
  func flush() async throws(SDKError) { try await place().flush() }

  /// What a message calls a document.
  func title(of name: SecretName) throws(SDKError) -> String { try place().title(of: path(name)) }

  /// Whether other machines use the place too.
  func areShared() throws(SDKError) -> Bool {
    try PlaceDocument(of: profile, at: location).entry.place.isShared
  }

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
    case .shared(let address):
      places?.place(address, entry.connection, of: profile, at: location)
        ?? UnavailablePlace(address: address)
    }
  }
}
