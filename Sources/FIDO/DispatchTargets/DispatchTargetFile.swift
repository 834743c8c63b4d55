import JOSE
import JSON
import OpenSSL
import Primitives
import SDKCore

/// The keys of the dispatch targets that were created here: `dispatch-targets.json`, mode 0600.
///
/// Its members: `deviceId`, and `targets`, each as the server lists it, with `signatureKey` and
/// `encryptionKey` (PEM). The keys identify the installation and are used without a person, so no passcode protects them.
struct DispatchTargetFile {
  struct Entry: Sendable {
    let target: DispatchTarget
    let signatureKey: SigningKey
    let encryptionKey: DecryptionKey
  }

  private(set) var entries: [Entry] = []
  let deviceID: String
  private var document: StoreDocument

  /// Reads the file; without it there are no targets, and the device has a new identifier.
  ///
  /// - Throws: ``SDKError/Code/store`` or ``SDKError/Code/invalidConfiguration`` if it is damaged.
  init(_ environment: SessionEnvironment) throws(SDKError) {
    let path = environment.location.stateFile(
      "profiles/\(environment.profile.name)/dispatch-targets.json")
    document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    let random = try attempt { try Random.bytes(16) }
    deviceID = try document.content.optional("deviceId", \.string) ?? Hex.encode(random)
    entries = try document.content.optional("targets") { $0.list(of: Entry.init(stored:)) } ?? []
  }

  /// Throws ``SDKError/Code/invalidRequest`` unless the keys of a target are here.
  func require(_ id: String) throws(SDKError) {
    guard entries.contains(where: { sameIdentifier($0.target.id, id) }) else {
      throw SDKError(
        .invalidRequest,
        cause: "the keys of the dispatch target '\(VisibleText.of(id))' are not here")
    }
  }

  func proveWritable() throws(SDKError) { try document.proveWritable() }

  /// Adds a target, or replaces the one with its identifier.
  mutating func put(_ entry: Entry) throws(SDKError) {
    entries.removeAll { sameIdentifier($0.target.id, entry.target.id) }
    entries.append(entry)
    try write()
  }

  /// Removes a target if it is here.
  mutating func remove(_ id: String) throws(SDKError) {
    entries.removeAll { sameIdentifier($0.target.id, id) }
    try write()
  }

  private mutating func write() throws(SDKError) {
    document.members["deviceId"] = .string(deviceID)
    document.members["targets"] = .array(entries.map(\.stored))
    try document.write()
  }
}

extension DispatchTargetFile.Entry {
  fileprivate init?(stored value: JSON) {
    guard let target = DispatchTarget(value, hasKeys: true),
      let signature = value["signatureKey"]?.string,
      let encryption = value["encryptionKey"]?.string,
      let signatureKey = try? SigningKey(pem: signature),
      let encryptionKey = try? DecryptionKey(pem: encryption, algorithm: .ecdhES)
    else { return nil }
    self.init(target: target, signatureKey: signatureKey, encryptionKey: encryptionKey)
  }

  fileprivate var stored: JSON {
    .members([
      "id": .string(target.id), "extId": target.externalID.map { .string($0) },
      "name": .string(target.name), "target": target.target.map { .string($0) },
      "dispatcher": target.dispatcher.map { .string($0) },
      "deviceId": target.deviceID.map { .string($0) },
      "signatureKey": .string(signatureKey.pem),
      "encryptionKey": encryptionKey.pem.map { .string($0) },
    ])
  }
}
