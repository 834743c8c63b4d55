import OAuth

/// Erases what a seal has sealed, with the implicit token of a sealed user.
struct SealErasure: SealErasing {
  let environment: SessionEnvironment

  func erase(_ sealed: SealDocument) async throws(SDKError) {
    try await eraseRegistration()
    for slot in [CredentialSlot.implicit, .user, .anonymous] {
      try await environment.locked(slot.lock) { () throws(SDKError) in
        let file = CredentialStore(
          environment.secrets, slot, issuer: environment.profile.issuer?.text ?? "")
        let isSealed = try await file.content().tokens?.isSealed == true
        guard isSealed || sealed.erases(slot) else { return }
        try DerivedCredentials(environment).erase()
        try await file.remove()
      }
    }
    try await environment.locked(.dpop) { () throws(SDKError) in
      guard try await environment.secrets.read(.dpopKey)?.isPasscodeSealed == true else { return }
      try await environment.secrets.remove(.dpopKey)
    }
    try await eraseIdentities()
  }

  /// Only the first user's passcode seals what belongs to the profile.
  private func eraseRegistration() async throws(SDKError) {
    guard environment.user == .standard else { return }
    try await environment.locked(.registration) { () throws(SDKError) in
      guard try await environment.secrets.read(.registration)?.isPasscodeSealed == true else {
        return
      }
      try await RegistrationStore(environment.secrets).remove()
    }
  }

  private func eraseIdentities() async throws(SDKError) {
    guard environment.user == .standard else { return }
    let files = IdentityFiles(location: environment.location, profile: environment.profile.name)
    try await environment.locked(.identities) { () throws(SDKError) in
      try files.erasePasscodeSealed()
    }
  }
}

extension SealDocument {
  /// Whether the tokens of a slot go too: the implicit ones are the user's.
  fileprivate func erases(_ slot: CredentialSlot) -> Bool {
    slots.contains(slot) || (slot == .implicit && slots.contains(.user))
  }
}
