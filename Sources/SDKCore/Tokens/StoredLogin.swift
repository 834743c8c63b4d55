import OAuth
import POSIX

/// What is stored of a profile's registration and logins: read without opening the profile.
public struct StoredLogin: Sendable {
  /// The profile.
  public let profile: Profile
  /// Whether it is one of the site.
  public let isOfSite: Bool
  /// Whether there is a registration of any issuer.
  public let isRegistered: Bool
  /// The slots that are not empty.
  public let slots: [StoredTokens]
}

extension ProfileStore {
  /// The registration and the logins of a profile on disk.
  ///
  /// Neither network nor a secret of a person is needed; pins and identities are not read, so that
  /// a list of ten thousand profiles is fast.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; errors of the settings.
  public func login(of name: ProfileName) async throws(SDKError) -> StoredLogin {
    let profile = try profile(name)
    let issuer = profile.issuer?.text ?? ""
    let secrets = ProfileSecrets(location: location, profile: name)
    var slots: [StoredTokens] = []
    for slot in CredentialSlot.allCases {
      let store = CredentialStore(secrets, slot, issuer: issuer)
      if let stored = await StoredTokens(slot, in: store) { slots.append(stored) }
    }
    return StoredLogin(
      profile: profile, isOfSite: isOfSite(name),
      isRegistered: try await secrets.read(.registration) != nil, slots: slots)
  }
}
