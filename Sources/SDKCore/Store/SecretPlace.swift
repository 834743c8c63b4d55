import JSON

/// A secret document of a profile that can be kept in any place.
///
/// Client certificates, FIDO keys and the counters of PINs stay in files of the machine.
enum SecretName: Sendable, Hashable {
  case registration
  case tokens(CredentialSlot)
  case dpopKey

  /// Those of which each user of a profile has some.
  static let ofUser: [SecretName] = CredentialSlot.allCases.map { .tokens($0) } + [.dpopKey]

  /// Its path below the profile, which names it in every place.
  func path(of user: UserID) -> String {
    switch self {
    case .registration: "registration"
    case .tokens(let slot): ProfileUser.path(of: "credentials/\(slot.rawValue)", user)
    case .dpopKey: ProfileUser.path(of: "dpop", user)
    }
  }
}

/// Where a profile keeps its secret documents, by their paths.
///
/// Who changes a document holds its lock (``ProfileLock``), or all locks of the profile. One protocol serves
/// all places: lock, read again, exchange, write if unchanged, unlock. Files and helpers are used by one
/// machine, whose locks are enough; a place of several machines has locks of its own, and what was written
/// under them is stored as a whole when they end.
protocol SecretPlace: Sendable {
  /// Reads a document; `nil` if there is none.
  func read(_ path: String) async throws(SDKError) -> JSONObject?

  /// Reads a document, for its use only: what this machine keeps of it will do, if it says when it expires.
  func readRecent(_ path: String) async throws(SDKError) -> JSONObject?

  /// Reads what this machine has of a document, without a network; for what is shown.
  func readLocal(_ path: String) async throws(SDKError) -> JSONObject?

  /// Reads a document from the place itself, also if it was read under the lock before.
  func readAgain(_ path: String) async throws(SDKError) -> JSONObject?

  /// Runs the body under the place's own lock of a document, and stores what it wrote.
  ///
  /// - Parameters:
  ///   - path: the document.
  ///   - timeout: how long to wait for another machine.
  ///   - done: called when another machine has changed the document; a value ends the wait without the lock.
  ///   - body: what is done under the lock.
  /// - Returns: what the body, or `done`, returns.
  /// - Throws: ``SDKError/Code/busy``; ``SDKError/Code/changedElsewhere`` if the lock was lost and another
  ///   machine has changed the document, so that nothing was stored; errors of the body.
  func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, unless done: () async throws(SDKError) -> Value?,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value

  /// Stores what was written under locks that are still held.
  func flush() async throws(SDKError)

  /// Writes a document as a whole: a kill leaves the old one or the new one.
  func write(_ members: JSONObject, to path: String) async throws(SDKError)

  /// Removes a document if it exists.
  func remove(_ path: String) async throws(SDKError)

  /// Proves that a document can be written, before a server is asked for what it will hold.
  ///
  /// A token that cannot be kept is lost: the server has spent the old one by then.
  func proveWritable(_ path: String) async throws(SDKError)

  /// What a message calls a document: its file, or its name in another place.
  func title(of path: String) -> String
}

/// A place that one machine uses.
extension SecretPlace {
  func readRecent(_ path: String) async throws(SDKError) -> JSONObject? { try await read(path) }

  func readLocal(_ path: String) async throws(SDKError) -> JSONObject? { try await read(path) }

  func readAgain(_ path: String) async throws(SDKError) -> JSONObject? { try await read(path) }

  func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, unless done: () async throws(SDKError) -> Value?,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value { try await body() }

  func flush() async throws(SDKError) {}
}

/// Files of the profile's state, mode 0600.
struct FilePlace: SecretPlace {
  let location: StoreLocation
  let profile: ProfileName

  func read(_ path: String) throws(SDKError) -> JSONObject? {
    try StoreDocument.read(file(path), .secret)?.members
  }

  func write(_ members: JSONObject, to path: String) throws(SDKError) {
    try StoreDocument(path: file(path), secrecy: .secret, members: members).write()
  }

  func remove(_ path: String) throws(SDKError) {
    try StoreDocument(path: file(path), secrecy: .secret).remove()
  }

  func proveWritable(_ path: String) throws(SDKError) {
    try StoreDocument(path: file(path), secrecy: .secret).proveWritable()
  }

  func title(of path: String) -> String { file(path).text }

  private func file(_ path: String) -> StorePath {
    location.stateFile("profiles/\(profile)/\(path).json")
  }
}
