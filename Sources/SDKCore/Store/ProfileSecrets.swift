import JSON
import POSIX

/// A secret document, with what a message calls it.
struct SecretDocument: Sendable {
  let title: String
  var members: JSONObject

  var content: StoredFields { StoredFields(members, in: title) }

  var isSealed: Bool { members[ProfileFile.sealedMember] != nil }
}

package struct ProfileSecrets: Sendable {
  let location: StoreLocation
  let profile: ProfileName
  var user = UserID.standard
  /// Returns places that machines share; `nil` for none.
  var sharedPlaces: StoreSharing.Places?
  /// The time that is left for a command; `nil` for no limit.
  var remaining: @Sendable () -> Duration? = { nil }

  /// Reads a document, `path` being that of one of several; `nil` if there is none.
  func read(
    _ file: ProfileFile, at path: String? = nil
  ) async throws(SDKError) -> SecretDocument? {
    let path = path ?? file.path(of: user)
    var document = try PlaceDocument(of: profile, at: location)
    while true {
      let place = file.isMovable ? try place(document.entry) : files
      if let members = try await place.read(path) {
        return SecretDocument(title: place.title(of: path), members: members)
      }
      let former = document
      document = try PlaceDocument(of: profile, at: location)
      // It may have been moved meanwhile.
      guard document.entry != former.entry else { return nil }
    }
  }

  /// Writes a document as a whole.
  ///
  /// If `isRead`, it was read under the lock that is held, so that it is known not to be of a newer version.
  func write(
    _ members: JSONObject, to file: ProfileFile, at path: String? = nil, isRead: Bool = false
  ) async throws(SDKError) {
    let path = path ?? file.path(of: user)
    let entry = try PlaceDocument(of: profile, at: location).entry
    let place = file.isMovable ? try place(entry) : files
    if entry.place != .files { try makeDirectory(of: user) }
    if !isRead {
      do throws(SDKError) { _ = try await place.read(path) } catch {
        // What else is wrong with it is no reason not to replace it.
        if error.code == .storeVersion { throw error }
      }
    }
    try await place.write(members, to: path)
    StoreDocument.noteChange()
  }

  func remove(_ name: ProfileFile) async throws(SDKError) {
    try await place().remove(path(name))
    StoreDocument.noteChange()
  }

  @discardableResult
  func proveWritable(_ name: ProfileFile) async throws(SDKError) -> StagedFile? {
    try await place().proveWritable(path(name))
  }

  /// Runs the body under the place's own lock, where it has one for what a lock of the machine guards.
  ///
  /// The lock of the machine is held already.
  func locked<Value: Sendable>(
    _ lock: ProfileLock, waiting timeout: Duration, mustRun: Bool,
    unless done: () async throws(SDKError) -> Value?,
    _ body: (Presentation) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard let name = lock.secret else {
      if let value = try await done() { return value }
      return try await body(Presentation())
    }
    let document = try PlaceDocument(of: profile, at: location)
    let isMoving = document.other?.place.isShared == true
    let place = try place(document.entry)
    return try await place.locked(path(name), waiting: timeout, mustRun: mustRun, unless: done) {
      (presentation) async throws(SDKError) in
      try await body(isMoving ? Self.moving(profile) : presentation)
    }
  }

  /// Presents nothing: both places have the refresh token, and another machine may use the other one.
  private static func moving(_ profile: ProfileName) -> Presentation {
    var presentation = Presentation()
    presentation.confirm = { (_) throws(SDKError) in
      throw SDKError(
        .busy,
        "could not present the refresh token of '\(profile)': the move of its secrets did not end; repeat it",
        subject: profile.description)
    }
    return presentation
  }

  /// Takes what other machines have stored meanwhile, of the registration and a user; `nil` for all users, also those
  /// whom this machine does not know.
  package func update(of user: UserID? = nil) async throws(SDKError) {
    for user in try await place().update(of: user) { try makeDirectory(of: user) }
  }

  func title(of name: ProfileFile) throws(SDKError) -> String { try place().title(of: path(name)) }

  /// Whether other machines change them too.
  func areShared() throws(SDKError) -> Bool {
    try PlaceDocument(of: profile, at: location).entry.place.isShared
  }

  /// Whether tokens that were obtained with others, and can be obtained again, may be in files.
  func areInFiles() throws(SDKError) -> Bool {
    try PlaceDocument(of: profile, at: location).entry.place == .files
  }

  private func path(_ name: ProfileFile) -> String { name.path(of: user) }

  /// Makes the directory by which a user is found, also where nothing of the user is in files.
  private func makeDirectory(of user: UserID) throws(SDKError) {
    try attempt("could not make the directory of the user '\(user)'", as: .store) {
      try Directory.create(
        location.state(of: profile) + "/" + ProfileUser.prefix(user), mode: 0o700)
    }
  }

  private var files: any SecretPlace { FilePlace(location: location, profile: profile) }

  private func place() throws(SDKError) -> any SecretPlace {
    try place(try PlaceDocument(of: profile, at: location).entry)
  }

  package func place(_ entry: PlaceDocument.Entry) throws(SDKError) -> any SecretPlace {
    switch entry.place {
    case .files: return files
    case .helper(let name): return HelperPlace(name: name, id: entry.id, remaining: remaining)
    case .shared(let address):
      guard let sharedPlaces else {
        throw SDKError(
          .unavailable, "could not use '\(address)': this program does not use shared stores")
      }
      return try sharedPlaces(entry, profile)
    }
  }
}
