import JOSE
import JSON
import Primitives
import Synchronization

/// The seal of a profile, mode 0600: `seal.json` of the profile's state.
///
/// Its members:
/// * `parts`: what is encrypted: `user`, `implicit`, `anonymous`, `client`, `dpop`, `identity`;
/// * `key`: the public key that they are encrypted to (a JWK);
/// * `passcode`: the private key (PEM), `sealed` under the passcode; the `failures` since the last right one,
///   and `failedAt`, the time of the last one in seconds.
struct SealDocument: PasscodeDocument {
  var parts: Set<SealedPart> = []
  /// `nil` if nothing is sealed.
  var key: JWK?
  var passcode: EnrolledPasscode?
  var document: StoreDocument

  /// Reads the file of a user of a profile; one that seals nothing if there is none.
  init(
    of user: UserID = .standard, _ profile: ProfileName, at location: StoreLocation
  ) throws(SDKError) {
    let path = location.userFile(ProfileFile.seal.pattern, of: user, profile)
    document = try StoreDocument.existing(path, .secret)
    if !document.members.isEmpty { try exchange(document.content) }
  }

  mutating func exchange(_ fields: StoredFields) throws(SDKError) {
    let sorted = parts.sorted { $0.rawValue < $1.rawValue }
    parts = Set(try fields.required("parts", sorted, .list(of: .word)))
    key = try fields.required(
      "key", key, StoredType("a public key", { try? JWK(json: $0) }, { $0.json }))
    passcode = try fields.required("passcode", passcode, .object)
  }

  func remove() throws(SDKError) { try document.remove() }
}

extension SealDocument {
  /// Whether the secrets of a file are encrypted when they are written.
  func seals(_ file: ProfileFile, at path: String = "") -> Bool {
    !parts.isDisjoint(with: file.parts(at: path))
  }

  /// The members of a document, its secret ones encrypted if they are to be.
  func sealed(
    _ members: JSONObject, of file: ProfileFile, at path: String = ""
  ) throws(SDKError) -> JSONObject {
    guard let key, let part = file.part, seals(file, at: path) else { return members }
    var (members, sealed) = (members, members[ProfileFile.sealedMember]?.object ?? [:])
    for member in file.secrets {
      guard let value = members[path: member] else { continue }
      let content: JSON = [
        // Not the file: the key of a request becomes that of an identity without being opened.
        "part": .string(part.rawValue), "member": .string(member), "value": value,
      ]
      sealed[member] = .string(
        try attempt {
          try JWE.encrypt(Array(content.serialized().utf8), to: key, .ecdhES, .a256GCM)
        })
      members[path: member] = nil
    }
    members[ProfileFile.sealedMember] = sealed.isEmpty ? nil : .object(sealed)
    return members
  }
}

extension JSONObject {
  /// A member, or one of an object in it: `client.client_secret`.
  subscript(path path: String) -> JSON? {
    get {
      let names = path.split(separator: ".", maxSplits: 1).map(String.init)
      return names.count < 2 ? self[path] : self[names[0]]?.object?[path: names[1]]
    }
    set {
      let names = path.split(separator: ".", maxSplits: 1).map(String.init)
      guard names.count == 2 else {
        self[path] = newValue
        return
      }
      var inner = self[names[0]]?.object ?? [:]
      inner[path: names[1]] = newValue
      self[names[0]] = inner.isEmpty ? nil : .object(inner)
    }
  }
}

extension UserSeal {
  /// The members of a document, with the secret ones that were encrypted; after ``open()``.
  func unsealed(_ members: JSONObject, of file: ProfileFile) throws(SDKError) -> JSONObject {
    var unsealed = members
    unsealed[ProfileFile.sealedMember] = nil
    for (member, text) in members[ProfileFile.sealedMember]?.object ?? [:] {
      unsealed[path: member] = try self.unsealed(text.string ?? "", member, of: file)
    }
    return unsealed
  }

  func unsealed(
    _ sealed: String, _ member: String, of file: ProfileFile
  ) throws(SDKError) -> JSON {
    guard let key = openedKey.withLock({ $0 }) else { throw notOpened }
    let bytes = try? JWE(compact: sealed).decrypt(with: key, allowed: [.a256GCM])
    let content = bytes.flatMap { try? JSON(parsing: $0) }
    // What is sealed was not shown to who agreed to an import.
    guard file.secrets.contains(member),
      sameIdentifier(content?["part"]?.string, file.part?.rawValue),
      sameIdentifier(content?["member"]?.string, member), let value = content?["value"],
      LocalReference.all(in: [member: value], at: "").isEmpty
    else {
      throw SDKError(
        .store,
        "could not open the sealed \(file.kind == .tokens ? "token" : member) of "
          + "'\(profile.name)': it is damaged, or of another passcode",
        subject: profile.name.description, remedy: file.kind == .tokens ? .login : nil)
    }
    return value
  }

  /// Writes stored secrets once more, as the seal is now: a kill leaves each as it was or as it is to be.
  ///
  /// What is sealed stays so while the seal is closed.
  func rewrite(_ parts: Set<SealedPart>) async throws(SDKError) {
    try await environment.forEachSealable { (file, path) async throws(SDKError) in
      guard !parts.isDisjoint(with: file.parts(at: path)) else { return }
      let (seal, secrets) = (try read(), environment.secrets)
      guard case .document = file.entry else {
        if seal.seals(file, at: path) {
          let path = environment.location.stateFile("profiles/\(profile.name)/\(path)")
          try StoreDocument(path: path, secrecy: .secret).remove()
        }
        return
      }
      guard let stored = try await secrets.read(file, at: path)?.members else { return }
      let members = isOpen ? try unsealed(stored, of: file) : stored
      let sealed = try seal.sealed(members, of: file, at: path)
      try await secrets.write(sealed, to: file, at: path, isRead: true)
    }
  }
}

extension SessionEnvironment {
  /// Runs the body with each file of the user, and of the profile for the first one, that a passcode can seal, under its
  /// lock; a document is named without `.json`.
  ///
  /// - Throws: the first error; the other files are done all the same.
  func forEachSealable(
    _ body: (ProfileFile, String) async throws(SDKError) -> Void
  ) async throws(SDKError) {
    try await forEach(ProfileFile.all.filter { $0.part != nil }) { (file) async throws(SDKError) in
      guard let lock = file.lock else { return }
      try await locked(lock) { () async throws(SDKError) in
        let paths = try file.documents(of: user, profile.name, at: location)
        try await forEach(paths) { (path) async throws(SDKError) in try await body(file, path) }
      }
    }
  }

  private func forEach<Element>(
    _ elements: [Element], _ body: (Element) async throws(SDKError) -> Void
  ) async throws(SDKError) {
    var failure: SDKError?
    for element in elements {
      do throws(SDKError) { try await body(element) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
