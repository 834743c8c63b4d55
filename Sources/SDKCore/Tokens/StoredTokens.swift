import JOSE
import JSON
import OAuth
import POSIX
import Primitives

/// What the file of a slot holds, for a list of all tokens of a machine.
public struct StoredTokens: Sendable, Hashable {
  /// The slot.
  public let slot: CredentialSlot
  /// Where it is: a file, or its name in another place.
  public let file: String
  /// What it holds; `nil` if the file cannot be used.
  public let provider: AuthorizationProvider?
  /// Why the file cannot be used.
  public let error: SDKError?

  /// The tokens; `nil` for cookies, and if the file cannot be used.
  public var tokens: TokenSet? { provider?.tokens }

  /// The name of the user whom the ID token or the login by form names; `nil` if none does.
  public var userName: String? {
    if case .cookies(let session) = provider { return session.user }
    return tokens?.userName
  }
}

extension TokenSet {
  /// The name of the user whom the ID token names: `preferred_username`, `email`, `name` or `sub`; `nil` without one.
  public var userName: String? {
    guard let token = idToken, let claims = (try? JWT(token))?.claims else { return nil }
    return claims.userName ?? claims["sub"]?.string
  }
}

extension JSON {
  var userName: String? {
    ["preferred_username", "email", "name"].lazy.compactMap { self[$0]?.string }.first {
      !$0.isEmpty
    }
  }
}

extension StoredTokens {
  init?(_ slot: CredentialSlot, in store: CredentialStore) async {
    self.slot = slot
    file = (try? store.title()) ?? slot.rawValue
    do throws(SDKError) {
      guard let provider = try await store.load() else { return nil }
      (self.provider, error) = (provider, nil)
    } catch {
      (self.provider, self.error) = (nil, error)
    }
  }
}

extension TokenService {
  /// What is stored in the slots of the profile, without those that are empty.
  ///
  /// Uses no network, and does not look at a token from outside the store.
  public func inventory() async -> [StoredTokens] {
    await environment.store.slots(in: environment.secrets, profile)
  }

  func stored(_ token: String) async -> TokenSet? {
    await inventory().lazy.compactMap(\.tokens).first { tokens in
      [tokens.accessToken, tokens.refreshToken, tokens.idToken].contains {
        sameIdentifier($0, token)
      }
    }
  }

  /// Marks an access token as refused by a server, so that the next use renews it.
  ///
  /// Nothing is sent to a server.
  ///
  /// - Returns: whether the slot held that token.
  /// - Throws: ``SDKError/Code/busy`` if the lock is not free in time; errors of the store.
  @discardableResult
  public func markRefused(
    _ accessToken: String, in slot: CredentialSlot
  ) async throws(SDKError) -> Bool {
    let now = now()
    return try await slots.change(slot, if: { sameIdentifier($0.accessToken, accessToken) }) {
      $0.expires = min($0.expires ?? now, now)
    }
  }

  /// Removes a refresh token from its slot, after the server has revoked it.
  ///
  /// - Throws: ``SDKError/Code/busy`` if the lock is not free in time; errors of the store.
  public func forgetRefreshToken(
    _ refreshToken: String, in slot: CredentialSlot
  ) async throws(SDKError) {
    _ = try await slots.change(slot, if: { sameIdentifier($0.refreshToken, refreshToken) }) {
      $0.refreshToken = nil
    }
  }
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
  /// Whether a profile has a registration of any issuer; only files are read.
  ///
  /// - Throws: errors of the store.
  public func isRegistered(_ name: ProfileName) async throws(SDKError) -> Bool {
    try await secretDocuments(of: name, .standard).read(.registration) != nil
  }

  /// The users of a profile, with their logins.
  ///
  /// Neither network nor a secret of a person is needed; pins and identities are not read, so that
  /// a list of ten thousand profiles is fast.
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

  fileprivate func slots(in secrets: ProfileSecrets, _ profile: Profile) async -> [StoredTokens] {
    var slots: [StoredTokens] = []
    for slot in CredentialSlot.allCases {
      let store = CredentialStore(secrets, slot, issuer: profile.issuer?.text ?? "")
      if let stored = await StoredTokens(slot, in: store) { slots.append(stored) }
    }
    return slots
  }
}

extension ProfileStore {
  /// A document that cannot be read, by its path below the state of the profile.
  package typealias DamagedDocument = (path: String, error: SDKError)

  /// The documents of the users of a profile that cannot be read; only files are read.
  package func damagedUserDocuments(
    of name: ProfileName
  ) async throws(SDKError) -> [DamagedDocument] {
    guard contains(name) else { throw noProfile(name) }
    var damaged: [DamagedDocument] = []
    do throws(SDKError) { _ = try currentUser(of: name) } catch {
      damaged.append((ProfileUser.choice, error))
    }
    damaged += await damagedDocuments(of: .standard, name)
    for entry in try userEntries(of: name) where isSafeUser(entry, name) {
      guard let user = try? UserID(entry), user != .standard else { continue }
      damaged += await damagedDocuments(of: user, name)
    }
    return damaged
  }

  /// Whether an entry of the directory of users is the directory of one, which only the owner may use.
  private func isSafeUser(_ entry: String, _ name: ProfileName) -> Bool {
    let path = "\(location.state(of: name))/\(ProfileUser.folder)/\(entry)"
    guard let status = try? FileStatus.of(path, followLinks: false) else { return false }
    return status.kind == .directory && status.isOwnedByUser && status.mode & 0o077 == 0
  }

  private func damagedDocuments(
    of user: UserID, _ name: ProfileName
  ) async -> [DamagedDocument] {
    let secrets = ProfileSecrets(location: location, profile: name, user: user)
    let isInFiles = (try? secrets.areInFiles()) == true
    let issuer = (try? profile(name))?.issuer?.text ?? ""
    var damaged: [DamagedDocument] = []
    for file in ProfileFile.all
    where file.isOfUser && file.lock != nil && (isInFiles || !file.isMovable) {
      do throws(SDKError) {
        if file == .seal {
          _ = try SealDocument(of: user, name, at: location)
        } else if let slot = file.part.flatMap({ CredentialSlot(rawValue: $0.rawValue) }) {
          _ = try await CredentialStore(secrets, slot, issuer: issuer).load()
        } else {
          _ = try await secrets.read(file)
        }
      } catch {
        damaged.append((file.path(of: user) + ".json", error))
      }
    }
    return damaged
  }
}
