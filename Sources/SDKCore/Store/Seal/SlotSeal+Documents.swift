import JOSE
import JSON
import Primitives
import Synchronization

extension SlotSeal {
  /// The members of a document, with the secret ones that were encrypted; after ``open()``.
  func opened(_ members: JSONObject, of file: ProfileFile) throws(SDKError) -> JSONObject {
    var opened = members
    opened[ProfileFile.sealedMember] = nil
    for (member, text) in members[ProfileFile.sealedMember]?.object ?? [:] {
      opened[path: member] = try self.opened(text.string ?? "", member, of: file)
    }
    return opened
  }

  func opened(
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
      let members = isOpen ? try opened(stored, of: file) : stored
      let sealed = try seal.sealed(members, of: file, at: path)
      guard sealed != stored else { return }
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
      guard let lock = file.lock, file.isOfUser || user == .standard else { return }
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
