import JSON
import POSIX
import Primitives
import SDKCore
import Synchronization

/// A place for secrets that several machines share, in a replicated key-value store.
///
/// Documents are read from what this machine keeps of them, and written there first; a lock brings both in step
/// (``SharedLock``). In the store a document is a key-value pair with an encrypted value.
final class SharedPlace: SecretPlace {
  let store: any KeyValueStore
  let files: SharedFiles
  /// The nodes that have it, for those who look at them; `nil` without a cluster.
  let nodes: EtcdNodes?
  /// What a message calls it.
  let name: String
  /// The random name of this machine in it.
  let machine: String
  /// Who holds a lock that this process takes.
  let owner: @Sendable () -> String
  let now: @Sendable () -> Timestamp
  let locks: any MachineLocks
  private let state = Mutex(State())

  private struct State {
    /// The documents for which this process has asked the store before their locks were taken.
    var tried: Set<String> = []
    var written: Set<String> = []
  }

  init(
    _ store: any KeyValueStore, _ files: SharedFiles, _ nodes: EtcdNodes? = nil,
    called name: String,
    machine: String,
    owner: @escaping @Sendable () -> String, now: @escaping @Sendable () -> Timestamp,
    locks: any MachineLocks
  ) {
    (self.store, self.files, self.nodes) = (store, files, nodes)
    (self.name, self.machine) = (name, machine)
    (self.owner, self.now, self.locks) = (owner, now, locks)
  }

  func hasWritten(_ path: String) -> Bool { state.withLock { $0.written.contains(path) } }

  /// Whether the store is to have what the machine keeps of a document.
  ///
  /// What an earlier process has cleared gives way.
  func isPending(_ file: SharedFile, _ path: String) -> Bool {
    file.state == .ahead || file.state == .cleared && hasWritten(path)
  }

  var prefix: String { files.prefix }

  func read(_ path: String) async throws(SDKError) -> JSONObject? {
    var file = try await files.load(path)
    // What is not stored yet is stored before anything else, and what was refused may have been mended.
    if file.state == .ahead || file.refusal != nil,
      state.withLock({ $0.tried.insert(path).inserted })
    {
      await locks.ifFree(path) {
        // Whether it fails, the next lock tells.
        if let snapshot = try? await load(path), (try? await take(path, snapshot)) != nil {
          _ = try? await storeAhead([path], snapshot)
        }
      }
      file = try await files.load(path)
    }
    if let refusal = file.refusal { throw SDKError(.untrusted, refusal, subject: path) }
    return file.members(of: path)
  }

  func write(_ members: JSONObject, to path: String) async throws(SDKError) {
    try await change(path, to: members)
  }

  func remove(_ path: String) async throws(SDKError) {
    let file = try await files.load(path)
    guard file.document.members != nil || file.refusal != nil else { return }
    try await change(path, to: nil)
  }

  private func change(_ path: String, to members: JSONObject?) async throws(SDKError) {
    if let members { try refuseLocalReferences(members, path, "write") }
    let former = try await files.load(path)
    let losesCredential =
      members != nil && former.document.members?[Self.refreshToken] != nil
      && members?[Self.refreshToken] == nil
    var file = SharedFile(state: losesCredential ? .cleared : .ahead, behind: store.behind)
    let counter = former.base + 1
    guard counter <= EncryptedDocument.maximumCounter else {
      throw SDKError(
        .untrusted, "could not write '\(title(of: path))': its counter cannot grow any more",
        subject: path)
    }
    file.document = EncryptedDocument(
      counter: counter,
      members: members.map { SlotDocument.moved($0, of: path, by: store.behind) })
    state.withLock { _ = $0.written.insert(path) }
    try await files.save(try await sealed(file, path), path)
  }

  /// The same under the key for new values.
  func sealed(_ file: SharedFile, _ path: String) async throws(SDKError) -> SharedFile {
    var file = file
    let key = try await files.currentKeys().forNewValues()
    file.value = try file.document.seal(as: files.key(path), with: key)
    return file
  }

  func proveWritable(_ path: String) async throws(SDKError) -> StagedFile? {
    _ = try files.keys().newest()
    return try await files.files.proveWritable(path)
  }

  func title(of path: String) -> String { "\(path) in \(name)" }

  /// Refuses what names a program, a file or a device: the machines that share differ in what it means, and who can
  /// write to the cluster must not choose what they run.
  func refuseLocalReferences(
    _ members: JSONObject, _ path: String, _ verb: String
  ) throws(SDKError) {
    // Those who join are shown the settings, and agree to them.
    guard path != ProfileFile.settings,
      let first = LocalReference.all(in: members, at: path).first
    else { return }
    let error =
      "could not \(verb) '\(title(of: path))': '\(first.name)' names something of one machine"
    throw SDKError(verb == "read" ? .untrusted : .policy, error, subject: path)
  }

  /// The paths that are read together: those of the same user, and the registration.
  static func related(_ path: String) -> [String] {
    let own =
      [ProfileFile.registration.path(of: .standard)]
      + ProfileFile.ofUser.map { $0.path(of: user(path)) }
    return own.contains(path) ? own : own + [path]
  }

  static func user(_ path: String) -> UserID {
    let names = path.split(separator: "/" as Character)
    guard names.count > 2, names[0] == ProfileUser.folder else { return .standard }
    return (try? UserID(String(names[1]))) ?? .standard
  }

  private static let refreshToken = "refreshToken"
}

/// The locks of this machine that guard what it keeps of a shared store.
protocol MachineLocks: Sendable {
  /// Whether a path is that of a document that one of them guards.
  func areFor(_ path: String) -> Bool

  /// Whether this task holds the lock of a document.
  func areHeld(_ path: String) -> Bool

  /// Runs the body under the lock of a document if that is free, and only then.
  func ifFree(_ path: String, _ body: () async -> Void) async
}
