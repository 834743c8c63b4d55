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
  /// The user whose slots they are: the current one.
  public let user: UserID
  /// The slots that are not empty.
  public let slots: [StoredTokens]
}

/// A user of a profile, with what is stored of the login.
public struct UserProfile: Sendable, Hashable {
  /// The ID, unique in the profile.
  public let id: UserID
  /// Whether the slots of this user are used if none is named.
  public let isCurrent: Bool
  /// The slots that are not empty.
  public let slots: [StoredTokens]
  /// The slots whose refresh tokens are encrypted under a passcode.
  public let sealedSlots: [CredentialSlot]

  /// The login of the user; `nil` if the user is logged out.
  public var login: StoredTokens? { slots.first { $0.slot == .user } }
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
    let user = try currentUser(of: name)
    let secrets = secretDocuments(of: name, user)
    return StoredLogin(
      profile: profile, isOfSite: isOfSite(name),
      isRegistered: try await secrets.read(.registration) != nil, user: user,
      slots: await slots(in: secrets, profile))
  }

  /// The users of a profile, with their logins; no network is used.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; errors of the settings and the store.
  public func userProfiles(of name: ProfileName) async throws(SDKError) -> [UserProfile] {
    let profile = try profile(name)
    let current = try currentUser(of: name)
    var profiles: [UserProfile] = []
    for user in try users(of: name) {
      let seal = try? SealDocument(of: user, name, at: location)
      let secrets = secretDocuments(of: name, user)
      profiles.append(
        UserProfile(
          id: user, isCurrent: user == current, slots: await slots(in: secrets, profile),
          sealedSlots: CredentialSlot.allCases.filter {
            seal?.parts.contains(SealedPart($0)) == true
          }))
    }
    return profiles
  }

  private func slots(in secrets: ProfileSecrets, _ profile: Profile) async -> [StoredTokens] {
    var slots: [StoredTokens] = []
    for slot in CredentialSlot.allCases {
      let store = CredentialStore(secrets, slot, issuer: profile.issuer?.text ?? "")
      if let stored = await StoredTokens(slot, in: store) { slots.append(stored) }
    }
    return slots
  }
}
