import JOSE
import JSON
import OpenSSL
import POSIX
import Primitives
import SDKCore

/// Where a server sends the tokens of out-of-band operations: this installation, as it knows it.
public struct DispatchTarget: Sendable, Hashable {
  /// The identifier at the server.
  public let id: String
  /// The identifier that other parties see; `nil` if the server does not say it.
  public let externalID: String?
  /// The name, which is unique among the targets of a user.
  public let name: String
  /// The address at the dispatcher, such as the registration token of a push service.
  public let target: String?
  /// How tokens are sent, such as `firebase-cloud-messaging`.
  public let dispatcher: String?
  /// The device; `nil` if the server does not say it.
  public let deviceID: String?
  /// Whether its keys are here.
  public let hasKeys: Bool
}

extension DispatchTarget {
  /// Reads a target of a server; `nil` for anything else.
  init?(_ value: JSON, hasKeys: Bool) {
    guard let id = value["id"]?.string, Self.isPathSegment(id) else { return nil }
    self.init(
      id: id, externalID: value["extId"]?.string, name: value["name"]?.string ?? "",
      target: value["target"]?.string, dispatcher: value["dispatcher"]?.string,
      deviceID: value["deviceId"]?.string, hasKeys: hasKeys)
  }

  /// Whether an identifier can be the last part of a path.
  static func isPathSegment(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 256
      && id.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~".utf8.contains($0) }
      && !id.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}

/// What a user chooses of a new target.
public struct DispatchTargetSettings: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The address at the dispatcher.
  public var target: String?
  /// How tokens are sent.
  public var dispatcher: String?

  /// Makes settings; what is `nil` has a default.
  public init(name: String, target: String? = nil, dispatcher: String? = nil) {
    self.name = name
    self.target = target
    self.dispatcher = dispatcher
  }

  /// The members of a message, without those that are `nil`.
  var members: JSONObject {
    JSON.members([
      "name": .string(name), "target": target.map { .string($0) },
      "dispatcher": dispatcher.map { .string($0) },
    ]).object ?? [:]
  }
}

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
    let fields = document.content
    deviceID = try fields.optional("deviceId", nil, .text) ?? Hex.encode(random)
    entries = try fields.optional("targets", nil, .list(of: .target)) ?? []
  }

  /// Throws ``SDKError/Code/invalidRequest`` unless the keys of a target are here.
  func require(_ id: String) throws(SDKError) {
    guard entries.contains(where: { sameIdentifier($0.target.id, id) }) else {
      throw SDKError(
        .invalidRequest,
        cause: "the keys of the dispatch target '\(VisibleText.of(id))' are not here")
    }
  }

  func proveWritable() throws(SDKError) -> StagedFile { try document.proveWritable() }

  mutating func put(_ entry: Entry) throws(SDKError) {
    entries.removeAll { sameIdentifier($0.target.id, entry.target.id) }
    entries.append(entry)
    try write()
  }

  mutating func remove(_ id: String) throws(SDKError) {
    entries.removeAll { sameIdentifier($0.target.id, id) }
    try write()
  }

  private mutating func write() throws(SDKError) {
    document.members["deviceId"] = .string(deviceID)
    document.members["targets"] = StoredType.list(of: .target).write(entries)
    try document.write()
  }
}

extension StoredType<DispatchTargetFile.Entry> {
  /// A target as a server lists it, with its keys.
  fileprivate static var target: Self {
    Self("a target with keys", { Value(stored: $0) }, { $0.stored })
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
