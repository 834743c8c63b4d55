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
  public func login(of name: ProfileName) throws(SDKError) -> StoredLogin {
    let profile = try profile(name)
    let issuer = profile.issuer?.text ?? ""
    let slots = CredentialSlot.allCases.compactMap { slot in
      StoredTokens(slot, in: CredentialStore(location, name, slot, issuer: issuer))
    }
    return StoredLogin(
      profile: profile, isOfSite: isOfSite(name),
      isRegistered: FileStatus.exists(location.state(of: name) + "/registration.json"), slots: slots
    )
  }
}
