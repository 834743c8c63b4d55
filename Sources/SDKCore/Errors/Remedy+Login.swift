extension SDKError {
  /// The login of the user that helps; `nil` if something else is needed.
  public var userLogin: Remedy.Login? {
    guard code == .notAuthenticated || code == .sessionExpired,
      case .login(let login) = remedy, login.slot == .user
    else { return nil }
    return login
  }
}

extension Remedy {
  /// The login that would help.
  public struct Login: Hashable, Sendable {
    /// How the user logs in: in a browser, or in a way that a module adds.
    public struct Means: Hashable, Sendable {
      /// The name of the way.
      public let name: String

      package init(_ name: String) { self.name = name }

      /// By OAuth, in a browser.
      public static let browser = Means("browser")
    }

    /// The slot to fill.
    public var slot: CredentialSlot
    /// The scope to ask for; `nil` for that of the profile.
    public var scope: String?
    /// The authentication contexts of which one is wanted, separated by spaces (`acr_values`).
    public var authenticationContexts: String?
    /// The seconds that may have passed since the user authenticated (`max_age`).
    public var maximumAge: Int64?
    /// Whether the user must authenticate even if the server still knows them.
    public var isForced: Bool
    /// Whether the tokens must be bound to a key (DPoP).
    public var bindsTokens: Bool
    /// How the user logs in.
    public var means = Means.browser
    /// The resources that the tokens are for (RFC 8707).
    public var resources: [String] = []
    /// The profile to log in to; `nil` for that of the session.
    public var profile: ProfileName?

    /// Makes the description of a login.
    public init(
      _ slot: CredentialSlot = .user, scope: String? = nil, authenticationContexts: String? = nil,
      maximumAge: Int64? = nil, isForced: Bool = false, bindsTokens: Bool = false
    ) {
      self.slot = slot
      self.scope = scope
      self.authenticationContexts = authenticationContexts
      self.maximumAge = maximumAge
      self.isForced = isForced
      self.bindsTokens = bindsTokens
    }

    /// Makes the description of a login to the user's slot, with nothing special.
    public init(by means: Means) {
      self.init()
      self.means = means
    }
  }
}
