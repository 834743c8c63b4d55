import OAuth

/// Erases what a seal has sealed, with the implicit token of a sealed user.
struct SealErasure: SealErasing {
  let environment: SessionEnvironment

  func erase(_ sealed: SealDocument) async throws(SDKError) {
    let (secrets, name) = (environment.secrets, environment.profile.name)
    try await environment.forEachSealable { (file, path) async throws(SDKError) in
      guard try await isErased(file, path, sealed) else { return }
      switch file.part {
      case .client: try await RegistrationStore(secrets).remove()
      case .identity:
        let files = IdentityFiles(location: environment.location, profile: name)
        let (folder, end) = (path.split(separator: "/"), file.pattern.split(separator: "/"))
        try files.erase(String(end[2]), of: try IdentityName(String(folder[1])))
      default:
        if file.kind == .tokens { try DerivedCredentials(environment).erase() }
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
      return try await environment.secrets.read(file, at: path)?.isSealed == true
    } catch {
      guard error.isDamage else { throw error }
      return isSealed
    }
  }
}
