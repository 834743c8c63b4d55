import JSON

/// What a seal encrypts and decrypts.
extension SlotSeal {
  /// Encrypts a refresh token of a slot; `nil` if the slot is not sealed.
  func sealed(_ token: String, of slot: CredentialSlot) throws(SDKError) -> String? {
    let document = try read()
    guard document.slots.contains(slot) else { return nil }
    return try document.encrypted(
      ["slot": .string(slot.rawValue), "refreshToken": .string(token)])
  }

  /// Decrypts a refresh token, after ``open()``.
  ///
  /// - Throws: ``SDKError/Code/notAuthenticated`` if the passcode was not entered; ``SDKError/Code/store``
  ///   if it is not one of that slot under the present key.
  func opened(_ sealed: String, of slot: CredentialSlot) throws(SDKError) -> String {
    let content = try decrypted(sealed)
    guard content?["slot"]?.string.flatMap(CredentialSlot.init) == slot,
      let token = content?["refreshToken"]?.string
    else { throw damaged("token", remedy: .login) }
    return token
  }

  /// Decrypts the members of a secret, after ``open()``.
  ///
  /// - Throws: as ``opened(_:of:)`` of a token.
  func opened(_ sealed: String, of kind: SealedKind) throws(SDKError) -> JSONObject {
    let content = try decrypted(sealed)
    guard content?["kind"]?.string.flatMap(SealedKind.init) == kind,
      let secret = content?["secret"]?.object
    else { throw damaged(kind.rawValue, remedy: nil) }
    return secret
  }

  /// Decrypts the key of an identity, after ``open()``.
  func openedKey(_ sealed: String) throws(SDKError) -> IdentityKey {
    guard let pem = try opened(sealed, of: .identity)["pem"]?.string else {
      throw damaged("identity", remedy: nil)
    }
    return .pem(pem)
  }

  private func damaged(_ what: String, remedy: Remedy?) -> SDKError {
    SDKError(
      .store,
      "could not open the sealed \(what) of '\(profile.name)': it is damaged, or of another passcode",
      subject: profile.name.description, remedy: remedy)
  }
}
