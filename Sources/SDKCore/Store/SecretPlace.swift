package import HTTP
package import JSON
package import POSIX
package import Primitives

/// Where a profile keeps its secret documents, by their paths.
///
/// Who changes a document holds its lock (``ProfileLock``), or all locks of the profile. For files and helpers the
/// locks of the machine are enough; a place that several machines use has locks of its own.
package protocol SecretPlace: Sendable {
  func read(_ path: String) async throws(SDKError) -> JSONObject?

  /// Writes a document as a whole, which is known not to be of a newer version: a kill leaves the old one or the new one.
  func write(_ members: JSONObject, to path: String) async throws(SDKError)

  func remove(_ path: String) async throws(SDKError)

  /// Proves that a document can be written, before a server is asked for what it will hold.
  ///
  /// A token that cannot be kept is lost: the server has spent the old one by then. The file holds the space for it,
  /// until it is discarded.
  @discardableResult func proveWritable(_ path: String) async throws(SDKError) -> StagedFile?

  func title(of path: String) -> String

  /// Runs the body under the place's own lock of a document; the lock of the machine is held.
  ///
  /// - Parameters:
  ///   - path: the document.
  ///   - timeout: how long to wait for another machine.
  ///   - mustRun: whether the body runs also if other machines cannot be reached, because it stores what would be lost.
  ///   - done: called first, and when another machine has changed the document; a value ends the wait without the
  ///     lock.
  ///   - body: what is done under the lock.
  /// - Returns: what the body, or `done`, returns.
  /// - Throws: ``SDKError/Code/busy``; ``SDKError/Code/changedElsewhere`` if the lock was lost, and what the body wrote
  ///   gave way to what another machine has stored; errors of the body.
  func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, mustRun: Bool,
    unless done: () async throws(SDKError) -> Value?,
    _ body: (Presentation) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value

  /// Takes what other machines have stored meanwhile of the registration and of a user; `nil` for all users.
  func update(of user: UserID?) async throws(SDKError) -> Set<UserID>

  /// Refuses a place that does not respond, or has the documents of a profile already.
  func requireUnused() async throws(SDKError)

  /// Gives documents that were written to all machines.
  ///
  /// - Throws: ``SDKError/Code/store`` if the place has those of a profile already, unless they are to be replaced.
  func publish(_ paths: [String], replacing: Bool) async throws(SDKError)

  /// Removes documents for all machines.
  func withdraw(_ paths: [String]) async throws(SDKError)
}

/// What happens when a refresh token is presented under its lock.
package struct Presentation: Sendable {
  /// Confirms, just before, that nobody else may present it; returns until when the request must have been sent, `nil`
  /// for no limit.
  package var confirm:
    @Sendable (_ token: String) async throws(SDKError) -> ContinuousClock.Instant? = {
      _ in nil
    }
  /// Notes that the server has not replaced it, so that others may present it.
  package var noteRefusal: @Sendable () -> Void = {}

  package init() {}
}

/// A place that one machine uses.
extension SecretPlace {
  package func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, mustRun: Bool,
    unless done: () async throws(SDKError) -> Value?,
    _ body: (Presentation) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    if let value = try await done() { return value }
    return try await body(Presentation())
  }

  package func update(of user: UserID?) -> Set<UserID> { [] }

  package func requireUnused() async throws(SDKError) { _ = try await read(ProfileFile.settings) }

  package func publish(_ paths: [String], replacing: Bool) async throws(SDKError) {}

  package func withdraw(_ paths: [String]) async throws(SDKError) {
    for path in paths { try await remove(path) }
  }
}

/// Files of the profile's state, mode 0600.
package struct FilePlace: SecretPlace {
  let location: StoreLocation
  let profile: ProfileName
  /// Where they are below the profile's state; empty, or ends with a slash.
  var folder = ""

  package init(location: StoreLocation, profile: ProfileName, folder: String = "") {
    (self.location, self.profile, self.folder) = (location, profile, folder)
  }

  package func read(_ path: String) throws(SDKError) -> JSONObject? {
    try StoreDocument.read(file(path), .secret)?.members
  }

  package func write(_ members: JSONObject, to path: String) throws(SDKError) {
    try StoreDocument(path: file(path), secrecy: .secret, members: members).replace()
  }

  package func remove(_ path: String) throws(SDKError) {
    try StoreDocument(path: file(path), secrecy: .secret).remove()
  }

  package func proveWritable(_ path: String) throws(SDKError) -> StagedFile? {
    try StoreDocument(path: file(path), secrecy: .secret).proveWritable()
  }

  package func title(of path: String) -> String { file(path).text }

  private func file(_ path: String) -> StorePath {
    location.stateFile("profiles/\(profile)/\(folder)\(path).json")
  }
}

/// How several machines share the secrets of a profile.
///
/// A module of its own has it: `StoreSharing.etcd` of `SharedStore`. A program without one refuses such a profile.
public struct StoreSharing: Sendable {
  /// Returns the place that an entry names, for a profile.
  package typealias Places =
    @Sendable (PlaceDocument.Entry, ProfileName) throws(SDKError) -> any SecretPlace

  /// Makes the places of a store, which connect by that network.
  package let places: @Sendable (PlaceNetwork) -> Places

  package init(_ places: @escaping @Sendable (PlaceNetwork) -> Places) { self.places = places }
}

package struct PlaceNetwork: Sendable {
  package let location: StoreLocation
  /// Makes a transport with the pins and the policy of a profile, which need not exist yet, and with the authorities of
  /// a file.
  package let transport: @Sendable (ProfileName, _ caFile: String?) -> any Transport
  /// Returns the time that is left for the command; `nil` for no limit.
  package let remaining: @Sendable () -> Duration?
  package let now: @Sendable () -> Timestamp
}

/// How a machine reaches a shared store.
public struct StoreConnection: Sendable, Hashable {
  /// The file with the authorities of the cluster, as PEM; `nil` for those of the profile.
  public var caFile: String?
  /// The file with the client certificate and its key, as PEM; `nil` to send none.
  public var certificateFile: String?

  /// Makes a connection.
  public init(caFile: String? = nil, certificateFile: String? = nil) {
    self.caFile = caFile
    self.certificateFile = certificateFile
  }

  init(_ fields: StoredFields, _ value: StoreConnection?) throws(SDKError) {
    caFile = try fields.optional("caFile", value?.caFile, .text)
    certificateFile = try fields.optional("certificateFile", value?.certificateFile, .text)
  }
}
