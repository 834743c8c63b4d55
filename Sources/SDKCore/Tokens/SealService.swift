import OAuth

/// The seal of a user: a passcode without which no sealed secret can be used.
///
/// A valid access token stays usable until it expires, unless it is bound to a sealed key. Requests of the
/// `implicit` slot go on working while the user's is sealed, if the server gives it a refresh token of its
/// own, and the client is not sealed too.
public struct SealService: Sendable {
  let tokens: TokenService
  private var slots: TokenSlots { tokens.slots }
  private var seal: UserSeal { slots.seal }

  /// What is sealed under the passcode of the user.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` or ``SDKError/Code/store`` if the file is damaged.
  public func sealedParts() throws(SDKError) -> [SealedPart] {
    let sealed = try seal.read().parts
    return SealedPart.allCases.filter(sealed.contains)
  }

  /// Whether the user has chosen a passcode.
  ///
  /// - Throws: as ``sealedParts()``.
  public func hasPasscode() throws(SDKError) -> Bool { try seal.read().passcode != nil }

  /// Which passcodes may be chosen.
  public var policy: PasscodePolicy { slots.profile.sealPolicy }

  /// Seals secrets: those that are stored, and those to come.
  ///
  /// - Parameters:
  ///   - parts: what is sealed; the first user's passcode seals what belongs to the profile.
  ///   - entry: chooses the passcode if there is none; `nil` for that of the session.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the passcode, or for secrets of the
  ///   profile in a session of another user; errors of the entry and the store.
  public func seal(
    _ parts: Set<SealedPart>, asking entry: (any PasscodeEntry)? = nil
  ) async throws(SDKError) {
    try await attempt("could not seal '\(slots.profile.name)'") {
      if let part = parts.first(where: \.isOfProfile), slots.environment.user != .standard {
        throw SDKError(
          .invalidRequest,
          cause:
            "'\(part.rawValue)' belongs to all users: the passcode of '\(UserID.standard)' seals it"
        )
      }
      try await seal.add(parts, asking: entry)
      try await seal.rewrite(parts)
      await tokens.obtainImplicitAhead()
    }
  }

  /// Stores all secrets unencrypted, and forgets the passcode.
  ///
  /// - Throws: ``SDKError`` as for the use of a sealed login.
  public func unseal() async throws(SDKError) {
    try await attempt("could not unseal '\(slots.profile.name)'") {
      guard try hasPasscode() else { return }
      try await seal.open()
      // From now on nobody encrypts to the key, which is removed only after its last use.
      try await seal.stop()
      try await seal.rewrite(Set(SealedPart.allCases))
      try await seal.remove()
    }
  }

  /// Changes the passcode.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the new one, before the old
  ///   one is tried; ``SDKError/Code/wrongPasscode``; ``SDKError/Code/policy`` if no passcode is accepted now.
  public func changePasscode(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    try await attempt("could not change the passcode of '\(slots.profile.name)'") {
      try await seal.changePasscode(from: old, to: new)
    }
  }
}

extension SessionEnvironment {
  /// Erases what a seal has sealed, with the implicit token of a sealed user.
  func erase(_ sealed: SealDocument) async throws(SDKError) {
    try await forEachSealable { (file, path) async throws(SDKError) in
      guard try await isErased(file, path, sealed) else { return }
      switch file.part {
      case .client: try await RegistrationStore(secrets).remove()
      case .identity:
        let files = IdentityFiles(location: location, profile: profile.name)
        let (folder, end) = (path.split(separator: "/"), file.pattern.split(separator: "/"))
        try files.erase(String(end[2]), of: try IdentityName(String(folder[1])))
      default:
        if file.kind == .tokens { try DerivedCredentials(self).erase() }
        try await secrets.remove(file)
      }
    }
  }

  /// A document goes if it is of what is sealed, or something of it is; but not an identity with a passphrase
  /// of its own.
  private func isErased(
    _ file: ProfileFile, _ path: String, _ sealed: SealDocument
  ) async throws(SDKError) -> Bool {
    // The implicit tokens are the user's.
    let isSealed =
      sealed.seals(file, at: path)
      || file.part == .implicit && sealed.parts.contains(.user)
    if isSealed, file != .identity, file != .requestedIdentity { return true }
    guard case .document = file.entry else { return false }
    do throws(SDKError) {
      return try await secrets.read(file, at: path)?.isSealed == true
    } catch {
      guard error.isDamage else { throw error }
      return isSealed
    }
  }
}
