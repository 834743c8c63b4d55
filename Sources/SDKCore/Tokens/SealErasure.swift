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

  /// A document goes if something of it is sealed; the tokens of a slot also without a refresh token.
  private func isErased(
    _ file: ProfileFile, _ path: String, _ sealed: SealDocument
  ) async throws(SDKError) -> Bool {
    guard case .document = file.entry else { return sealed.seals(file, at: path) }
    if let part = file.part, file.kind == .tokens {
      // The implicit tokens are the user's.
      let parts: Set = part == .implicit ? [part, .user] : [part]
      if !sealed.parts.isDisjoint(with: parts) { return true }
    }
    do throws(SDKError) {
      return try await environment.secrets.read(file, at: path)?.isSealed == true
    } catch {
      guard error.isDamage else { throw error }
      return false
    }
  }
}
