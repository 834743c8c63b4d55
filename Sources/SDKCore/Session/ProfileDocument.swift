public import JSON
import OpenSSL
import POSIX
public import Pinning
import Primitives

/// A profile in one document: its settings and pins, and on request its secrets.
public struct ProfileExport: Sendable, Hashable {
  /// Which secrets of a profile are exported.
  public enum Secrets: Sendable, Hashable, CaseIterable {
    /// None: the document can be shared.
    case none
    /// The registration and the client certificates.
    case credentials
    /// Those, the tokens of all slots and the key that they are bound to.
    case all
  }

  /// The settings, with members that this version does not know.
  public let settings: JSONObject
  /// The document of the pins; `nil` if there is none.
  public let pins: JSONObject?
  /// Secret documents by their paths below the state of the profile.
  let secrets: [String: JSONObject]

  init(settings: JSONObject, pins: JSONObject?, secrets: [String: JSONObject] = [:]) {
    self.settings = settings.filter { $0.key != "version" }
    self.pins = pins?.filter { $0.key != "version" }
    self.secrets = secrets.mapValues { $0.filter { $0.key != "version" } }
  }

  /// What its secrets name of the machine that imports it, in the order of their names.
  public var localReferences: [LocalReference] {
    secrets.sorted { $0.key < $1.key }.flatMap { LocalReference.all(in: $1, at: $0) }
  }

  /// Whether it has secrets.
  public var hasSecrets: Bool { !secrets.isEmpty }

  /// The profile, by a name.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a setting cannot be used, or is none that the program knows.
  public func profile(
    named name: ProfileName, _ table: SettingTable = .core
  ) throws(SDKError) -> Profile { try Profile(name: name, from: settings, settings: table) }

  /// The pins.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if they cannot be read.
  public func pinSets() throws(SDKError) -> [PinSet] {
    do throws(DocumentError) { return try PinDocument.sets(in: pins ?? [:]) } catch {
      throw Self.failure(error.cause)
    }
  }

  /// The document to share; `nil` if there are secrets, which it must not have.
  public var document: JSON? {
    // A bare `nil` in a condition would be JSON's null.
    guard !hasSecrets else { return JSON?.none }
    return content
  }

  /// The document, encrypted under a passphrase (scrypt and AES-256-GCM).
  ///
  /// - Throws: ``SDKError/Code/unavailable`` if the memory that scrypt needs is missing.
  public func sealed(with passphrase: [UInt8]) async throws(SDKError) -> JSON {
    try await sealed(with: passphrase, cost: .standard)
  }

  func sealed(with passphrase: [UInt8], cost: ScryptCost) async throws(SDKError) -> JSON {
    let bytes = content.serializedBytes()
    let sealed = try await toItsEnd { () throws(SDKError) in
      try attempt("could not encrypt the export") {
        try Sealing.seal(bytes, with: passphrase, purpose: SealedProfileExport.purpose, cost: cost)
      }
    }
    return [ProfileDocument.mark: .int(Self.version), "sealed": .object(sealed.stored)]
  }

  private var content: JSON {
    var members: JSONObject = [
      ProfileDocument.mark: .int(Self.version), "profile": .object(settings),
    ]
    members["pins"] = pins.map { .object($0) }
    if hasSecrets {
      members["secrets"] = .object(JSONObject(secrets.map { ($0.key, .object($0.value)) }))
    }
    return .object(members)
  }

  /// Reads the document; secrets are accepted only from a sealed one.
  init(_ members: JSONObject, isOpened: Bool) throws(SDKError) {
    guard let settings = members["profile"]?.object else {
      throw Self.failure("it has no profile")
    }
    var secrets: [String: JSONObject] = [:]
    for (path, value) in members["secrets"]?.object ?? [:] {
      guard isOpened, ProfileFiles.isSecret(path), let document = value.object else {
        throw Self.failure("it has secrets that do not belong into it")
      }
      secrets[path] = document
    }
    self.init(settings: settings, pins: members["pins"]?.object, secrets: secrets)
    if members["pins"] != nil, pins == nil { throw Self.failure("its pins are not an object") }
    _ = try pinSets()
  }

  static func failure(_ cause: String) -> SDKError {
    SDKError(.invalidRequest, "could not read the export: \(cause)")
  }

  static let version: Int64 = 2
}

/// An export that is encrypted under a passphrase.
public struct SealedProfileExport: Sendable, Hashable {
  private let secret: SealedSecret

  init(_ members: JSON) throws(SDKError) {
    guard let members = members.object,
      let secret = try? SealedSecret(StoredFields(members, in: ""))
    else { throw ProfileExport.failure("what is encrypted in it is damaged") }
    self.secret = secret
  }

  /// Decrypts the export.
  ///
  /// - Throws: ``SDKError/Code/wrongPassword`` if the passphrase is another, or a byte has changed.
  public func export(openedWith passphrase: [UInt8]) async throws(SDKError) -> ProfileExport {
    let secret = secret
    let bytes = try await toItsEnd { () throws(SDKError) in
      try attempt("could not decrypt the export") {
        try Sealing.open(secret, with: passphrase, purpose: Self.purpose)
      }
    }
    guard let bytes else {
      throw SDKError(
        .wrongPassword,
        "could not decrypt the export: the passphrase is wrong, or the export was changed")
    }
    guard let members = (try? JSON(parsing: bytes))?.object else {
      throw ProfileExport.failure("what is encrypted in it is not JSON")
    }
    return try ProfileExport(members, isOpened: true)
  }

  static let purpose = "profile export"
}

/// An export of a profile.
public enum ProfileDocument: Sendable {
  /// An export without secrets.
  case open(ProfileExport)
  /// An export whose passphrase is needed.
  case sealed(SealedProfileExport)

  /// The member that makes a document an export, with its version.
  public static let mark = "profileExport"

  /// The greatest size of a document.
  public static let maximumSize = 4 << 20

  /// Reads a document; `nil` if it is not an export.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for an export that cannot be read.
  public init?(reading bytes: [UInt8]) throws(SDKError) {
    guard let members = (try? JSON(parsing: bytes))?.object, let mark = members[Self.mark]
    else { return nil }
    guard mark != .int(1) else {
      throw ProfileExport.failure("it is of an earlier version; export the profile again")
    }
    guard mark == .int(ProfileExport.version) else {
      throw ProfileExport.failure("it has a version that this program does not support")
    }
    if let sealed = members["sealed"] {
      self = .sealed(try SealedProfileExport(sealed))
    } else {
      self = .open(try ProfileExport(members, isOpened: false))
    }
  }
}

struct ProfileFiles {
  let location: StoreLocation
  let name: ProfileName

  /// The secret documents, by the paths that they have in files.
  func secrets(_ wanted: ProfileExport.Secrets) async throws(SDKError) -> [String: JSONObject] {
    var documents = try await documents { wanted == .all || $0.isCredential }
    // Without it nobody could open a sealed client or identity.
    if documents.values.contains(where: { $0[ProfileFile.sealedMember] != nil }) {
      let seal = ProfileFile.seal.path(of: .standard)
      documents[seal + ".json"] = try await secrets.read(.seal)?.members
    }
    return documents
  }

  private func documents(
    where isWanted: (ProfileFile) -> Bool
  ) async throws(SDKError) -> [String: JSONObject] {
    var documents: [String: JSONObject] = [:]
    var secrets = secrets
    for user in try ProfileStore(location).allUsers(of: name) {
      secrets.user = user
      for file in ProfileFile.all where file.isExported && isWanted(file) {
        for path in try file.documents(of: user, name, at: location) {
          documents[path + ".json"] = try await secrets.read(file, at: path)?.members
        }
      }
    }
    return documents
  }

  private var secrets: ProfileSecrets { ProfileSecrets(location: location, profile: name) }

  func path(_ path: String) -> StorePath { location.stateFile("profiles/\(name)/\(path)") }

  static func isSecret(_ path: String) -> Bool {
    ProfileFile.row(at: path)?.isExported == true
  }
}

extension ProfileStore {
  /// A profile as one document, with the secrets that are wanted.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy`` if another process uses the profile;
  ///   ``SDKError/Code/store`` if a file cannot be read.
  public func export(
    _ name: ProfileName, _ secrets: ProfileExport.Secrets = .none
  ) async throws(SDKError) -> ProfileExport {
    let profile = try profile(name)
    let pins = try PinStore(location, name).document()?.members
    guard secrets != .none else { return ProfileExport(settings: profile.members, pins: pins) }
    // Secret documents belong together: none of them may change meanwhile.
    let kept = try await holdingAll(of: name) { () async throws(SDKError) in
      try await ProfileFiles(location: location, name: name).secrets(secrets)
    }
    return ProfileExport(settings: profile.members, pins: pins, secrets: kept)
  }

  /// Creates a profile of an export, as a whole or not at all; the first one becomes the current one.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists or a value is wrong;
  ///   ``SDKError/Code/store`` if the files cannot be written.
  public func add(_ export: ProfileExport, as name: ProfileName) async throws(SDKError) {
    let profile = try export.profile(named: name, settings)
    let files = ProfileFiles(location: location, name: name)
    try await exclusively { () throws(SDKError) in
      try create(name, settings: profile.members, pins: export.pins) { () throws(SDKError) in
        for (path, members) in export.secrets {
          try StoreDocument(path: files.path(path), secrecy: .secret, members: members).write()
        }
        if PayloadDemand.isMade(by: export.secrets.values) {
          try PayloadDemand(location, name).note(true)
        }
      }
      if try current() == nil { try writeCurrent(name) }
    }
  }

  /// The bytes of a profile's document, whatever they are.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/store`` if the file cannot be read.
  public func bytes(of name: ProfileName) throws(SDKError) -> [UInt8] {
    let path = path(name)
    do throws(SystemError) {
      return try StoreDocument.Secrecy.shared.read(path, limit: ProfileDocument.maximumSize)
    } catch {
      throw error.isNotFound ? noProfile(name) : StoreDocument.failure("read", path, error)
    }
  }
}
