public import Primitives

/// What would help against an error, for a program to do or to explain to a person.
///
/// The library does not say how a user interface asks for it: the command line shows most of these as a command to
/// paste, an app as a button or a screen. More cases may come; treat those that you do not know as no remedy.
public indirect enum Remedy: Hashable, Sendable {
  /// Log in, as described.
  case login(Login)
  /// Log in without a browser on this machine: by a code, by a pasted address, through a tunnel.
  case otherLogins
  /// Log in, and paste the address at which the browser arrives.
  case manualLogin
  /// Erase the stored tokens of a slot, without telling the server.
  case eraseTokens(CredentialSlot)
  /// Register this installation, or change its registration, as described.
  case register(Registering)
  /// Use a version of the application that the server accepts.
  case updateApplication
  /// Use a version of the operating system that the server accepts.
  case updateSystem
  /// Do what a module knows.
  case other(Other)
  /// Use the cookies of the login, because it has no token.
  case cookieHeader
  /// Give the passcode of the sealed tokens.
  case enterPasscode
  /// Type the passcode on a terminal, because that of a file is not tried after a wrong one.
  case typePasscode
  /// Set a value of the profile; `nil` for the value if only a person can know it.
  case setProfile(key: String, value: String?)
  /// Remove a value of the profile.
  case unsetProfile(key: String)
  /// Choose one of the profiles that exist.
  case chooseProfile
  /// Copy a profile that cannot be changed, and change the copy.
  case copyProfile(ProfileName)
  /// Pin the keys of hosts (`HOST` or `HOST:PORT`) that have no pins.
  case pinHosts([String])
  /// Compare the pins of a host (`HOST` or `HOST:PORT`) with the keys that it has now.
  case checkPins(host: String)
  /// Import the certificate of an earlier request of that name, or replace the request.
  case replaceRequested(IdentityName)
  /// Import an identity of an authority that this host accepts.
  case importIdentity(host: String)
  /// Name the identity that is shown.
  case nameIdentity
  /// Name the private key of a file that has several.
  case nameKey
  /// Give the private key of the certificate, too.
  case addKey
  /// Convert this file, a key store of Java, to PKCS #12; `nil` if only the caller knows its name.
  case convertKeyStore(String?)
  /// Protect files from other users of this machine.
  case protect([FileProtection])
  /// Let this user write the store, name another one, or give the token another way.
  case writableStore
  /// Compare the client's id and secret with those at the provider.
  case compareClient
  /// Have the provider allow this kind of login for the client.
  case allowGrant
  /// Have the server allow the redirect URI, or ask for another scope than this, or do not sign the request.
  ///
  /// Servers show such an error in the browser only.
  case allowRequest(redirectURI: String, scope: String?, isSigned: Bool)
  /// End the program that listens at this port, or use another port for the redirect URI.
  case freePort(UInt16)

  /// A remedy that a module adds.
  public struct Other: Hashable, Sendable {
    /// The name of the remedy.
    public let name: String

    package init(_ name: String) { self.name = name }
  }

  /// Pin the keys of a host (`HOST` or `HOST:PORT`) that has no pins.
  public static func pinHost(_ host: String) -> Remedy { .pinHosts([host]) }
  /// Log in to the user's slot, with nothing special.
  public static let login = Remedy.login(Login())
  /// Register a new client.
  public static let register = Remedy.register(Registering())
  /// Replace the registration by a new one.
  public static let registerAnew = Remedy.register(Registering(.replacing))
}

extension Remedy {
  /// The registration that would help.
  public struct Registering: Hashable, Sendable {
    /// What happens to the registration that exists.
    public enum Way: Hashable, Sendable {
      /// There is none yet.
      case new
      /// It is replaced by a new one.
      case replacing
      /// It is changed at the server (RFC 7592).
      case updating
    }

    /// The client to use.
    public enum ClientSource: Hashable, Sendable {
      /// One that the server makes (RFC 7591).
      case new
      /// One that exists at the provider; `nil` if its id is not known here.
      case existing(String?)
    }

    /// The redirect URI to register.
    public enum RedirectURI: Hashable, Sendable {
      /// The default.
      case usual
      /// One with another port of the loopback address.
      case otherPort
      /// One with a URL scheme of the program's own (RFC 8252 section 7.1).
      case ownScheme
    }

    /// What happens to the registration that exists.
    public var way: Way
    /// The client to use.
    public var client: ClientSource
    /// How the client authenticates (`token_endpoint_auth_method`); `nil` for any method.
    public var authenticationMethod: String?
    /// Whether the client's secret must be given.
    public var needsSecret: Bool
    /// Whether a client certificate and its key must be given.
    public var needsCertificate: Bool
    /// The redirect URI to register.
    public var redirectURI: RedirectURI

    /// Makes the description of a registration.
    public init(
      _ way: Way = .new, client: ClientSource = .new, authenticationMethod: String? = nil,
      needsSecret: Bool = false, needsCertificate: Bool = false, redirectURI: RedirectURI = .usual
    ) {
      self.way = way
      self.client = client
      self.authenticationMethod = authenticationMethod
      self.needsSecret = needsSecret
      self.needsCertificate = needsCertificate
      self.redirectURI = redirectURI
    }
  }
}

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
