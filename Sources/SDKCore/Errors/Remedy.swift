public import Primitives

/// What would help against an error, for a program to do or to explain to a person.
///
/// The library does not say how a user interface asks for it: the command line shows most of these
/// as a command to paste, an app as a button or a screen. More cases may come; treat those that
/// you do not know as no remedy.
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
  /// Name the identity that is shown.
  case nameIdentity
  /// Name the private key of a file that has several.
  case nameKey
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
