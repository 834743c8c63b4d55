import JSON

/// The keys of identities that the passcode of the profile seals.
extension IdentityFiles {
  /// The name of the identity that a registration made.
  static let ofClient = "registration"

  /// The key, encrypted if it is a file's, and the passcode of the profile seals such keys.
  func sealed(
    _ key: IdentityKey, of name: IdentityName
  ) throws(SDKError) -> IdentityKey {
    guard case .pem(let pem) = key else { return key }
    var seal = try SealDocument(profile, at: location)
    // The key of the client is sealed with it.
    if name.description == Self.ofClient, seal.kinds.contains(.client) {
      seal.kinds.insert(.identity)
    }
    return try seal.sealed(["pem": .string(pem)], of: .identity).map { .passcodeSealed($0) } ?? key
  }

  /// Writes all keys once more, as the seal is now; sealed ones stay as they are while it is closed.
  ///
  /// Runs in the lock of the identities.
  func rewriteKeys(with seal: SlotSeal) throws(SDKError) {
    for name in try names() {
      guard var identity = try stored(name) else { continue }
      identity.key = try opened(identity.key, with: seal)
      try write(identity)
    }
    for name in try names(with: Self.request) {
      let path = path(Self.request, of: name)
      guard var document = try StoreDocument.read(path, .secret),
        let key = document.members["key"].flatMap(IdentityKey.init(stored:))
      else { continue }
      document.members["key"] = .object(try sealed(try opened(key, with: seal), of: name).stored)
      try document.write()
    }
  }

  /// Erases all identities whose keys the passcode seals, with the requested ones.
  ///
  /// Runs in the lock of the identities.
  func erasePasscodeSealed() throws(SDKError) {
    for name in try names() where (try? stored(name))?.key.isPasscodeSealed == true {
      try erase(name)
    }
    for name in try names(with: Self.request) {
      let document = try? StoreDocument.read(path(Self.request, of: name), .secret)
      guard document?.members["key"].flatMap(IdentityKey.init(stored:))?.isPasscodeSealed == true
      else {
        continue
      }
      try erase(Self.request, of: name)
    }
  }

  private func opened(_ key: IdentityKey, with seal: SlotSeal) throws(SDKError) -> IdentityKey {
    guard case .passcodeSealed(let text) = key, seal.isOpen else { return key }
    return try seal.openedKey(text)
  }

  /// The document of an identity whose certificate has not come yet.
  private static let request = "request.json"
}
