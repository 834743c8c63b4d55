import OAuth
import OpenSSL
import Primitives
public import SDKCore
import UAF

/// Logins with a FIDO key; one at a time on a machine.
struct FIDOLogin: Sendable {
  static let action = "could not log in with a FIDO key"

  let slots: TokenSlots
  let cache: TrustCache
  /// Opens keys in security tokens.
  let securityTokens: IdentityStore
  /// Asks what a login after a refusal needs of a person.
  let interaction: Interaction
  private let passcodeCost: ScryptCost

  init(_ context: LoginMethod.Context, _ delegates: AuthenticatorDelegates) {
    passcodeCost = context.passcodeCost
    slots = context.slots
    cache = context.server.cache
    securityTokens = context.identities
    interaction = Interaction(
      Self.usual(delegates, slots.profile),
      within: .seconds(slots.profile[FIDOKeys.interactionTimeout]))
  }

  var environment: SessionEnvironment { slots.environment }
  var profile: Profile { environment.profile }

  /// Those who are asked if the caller names nobody: the passcode is that of `fido.passcodeFile` if there is one.
  private static func usual(
    _ delegates: AuthenticatorDelegates, _ profile: Profile
  ) -> AuthenticatorDelegates {
    var delegates = delegates
    if let path = profile[FIDOKeys.passcodeFile] {
      delegates.passcode = FilePasscode(
        path, namedBy: "fido.passcodeFile", afterWrong: .login(.init(by: .fido)))
    }
    return delegates
  }

  func settings() throws(SDKError) -> FIDOSettings { try FIDOSettings(profile) }

  /// The client of the FIDO server; refused if that has no passcodes, before a person is asked for anything.
  func client() throws(SDKError) -> UAFServerClient {
    let settings = try settings()
    try environment.requirePins(of: [settings.base])
    return UAFServerClient(environment: environment, settings: settings)
  }

  func facets() throws(SDKError) -> FacetCheck {
    FacetCheck(environment: environment, settings: try settings(), cache: cache)
  }

  /// The authenticator with the keys that there are.
  ///
  /// It verifies nobody if its keys were registered so, and the profile allows that.
  func authenticator(_ aaid: AAID? = nil) throws(SDKError) -> SoftwareAuthenticator {
    let authenticator = try authenticator(aaid, verifiesUser: true)
    guard profile[FIDOKeys.allowsNoVerification],
      authenticator.settings.userVerification == .passcode,
      try authenticator.passcodeStatus() == .notEnrolled, try !authenticator.keys().isEmpty
    else { return authenticator }
    return try self.authenticator(aaid, verifiesUser: false)
  }

  func authenticator(_ aaid: AAID?, verifiesUser: Bool) throws(SDKError) -> SoftwareAuthenticator {
    SoftwareAuthenticator(
      environment, try profile.authenticatorSettings(aaid, verifiesUser: verifiesUser),
      securityTokens: securityTokens, cost: passcodeCost)
  }

  struct User: Sendable {
    /// The name that the server gets.
    let name: String
    /// The name that the server has given to the keys; `nil` if it is not known.
    let keyName: String?
  }

  /// The user whose key is used: the one that is named, else that of `fido.user`, else the only one
  /// that has keys.
  ///
  /// `remedy` is what helps without a key.
  func user(
    _ name: String?, at authenticator: SoftwareAuthenticator, remedy: Remedy? = .registerFIDO
  ) throws(SDKError) -> User {
    let names = try authenticator.keys().map(\.username)
    guard let first = names.first else { throw noKey(at: authenticator, remedy) }
    if let name = name ?? profile[FIDOKeys.user] {
      let isKnown = names.contains { sameIdentifier($0, name) }
      return User(name: name, keyName: isKnown ? name : nil)
    }
    guard names.allSatisfy({ sameIdentifier($0, first) }) else {
      throw SDKError(
        .invalidRequest, cause: "several users have keys, and none of them is named",
        subject: "fido.user")
    }
    return User(name: first, keyName: first)
  }

  /// The user whose key renews a session: no other one than that of the session, if it names a user.
  func user(
    renewing session: AuthorizationProvider?, at authenticator: SoftwareAuthenticator
  ) throws(SDKError) -> User {
    let user = try user(session?.userName, at: authenticator)
    guard session?.userName == nil || user.keyName != nil else {
      throw slots.expired(
        "it has expired, and its user '\(VisibleText.of(user.name))' has no key in the "
          + "authenticator \(authenticator.settings.aaid)",
        remedy: .login(.init(by: profile.loginMeans(except: .fido))))
    }
    return user
  }

  /// The keys of a user that are to be deleted, by the name that the server has given to them; of the only one, if
  /// none is named.
  func keys(
    of name: String?, at authenticator: SoftwareAuthenticator
  ) throws(SDKError) -> [AuthenticatorKey] {
    let keys = try authenticator.keys()
    guard let first = keys.first else { throw noKey(at: authenticator, nil) }
    if let name = name ?? profile[FIDOKeys.user] {
      let own = keys.filter { sameIdentifier($0.username, name) }
      if !own.isEmpty { return own }
    }
    guard name == nil, keys.allSatisfy({ sameIdentifier($0.username, first.username) }) else {
      let names = Set(keys.map(\.username)).sorted().joined(separator: ", ")
      throw SDKError(
        .invalidRequest, cause: "name one of the users who have keys: \(VisibleText.of(names))",
        subject: "fido.user")
    }
    return keys
  }

  func noKey(
    at authenticator: SoftwareAuthenticator, _ remedy: Remedy? = .registerFIDO
  ) -> SDKError {
    SDKError(
      .notRegistered,
      cause: "the authenticator \(authenticator.settings.aaid) of '\(profile.name)' has no key",
      resource: .userNotAuthenticated, subject: profile.name.description, remedy: remedy)
  }
}

extension TokenService {
  /// The session of the user for a FIDO server, and the name in it; refused if nobody is logged in.
  func userSession() async throws(SDKError) -> (credential: Credential, user: String?) {
    var demand = TokenDemand()
    demand.takesCookies = true
    let provider = try await credential(in: .user, demand)
    let proof =
      if let tokens = provider.tokens { try await self.proof(of: tokens) } else { DPoP?.none }
    let credential = Credential(provider, dpop: proof, now: environment.clock.now)
    return (credential, provider.user)
  }
}

extension LoginMethod {
  /// Logins with FIDO keys, of profiles with a section `fido`.
  ///
  /// The delegates are asked if a request needs a login, and by operations that name no others.
  public static func fido(
    asking delegates: AuthenticatorDelegates = AuthenticatorDelegates()
  ) -> LoginMethod {
    LoginMethod(.fido) { FIDOLogin($0, delegates) }
  }
}

extension Remedy.Login.Means {
  /// With a FIDO key.
  public static let fido = Remedy.Login.Means("fido")
}

extension ProfileSession {
  /// Registration, login and deregistration with FIDO keys.
  public var fido: FIDOService { FIDOService(tokens: tokens, login: keyLogin) }

  /// Where the FIDO server sends the tokens of operations.
  public var dispatchTargets: DispatchTargetService {
    DispatchTargetService(tokens: tokens, login: keyLogin)
  }

  /// That of the session's method; without it nobody is asked but whom an operation names.
  private var keyLogin: FIDOLogin {
    let ofMethod = tokens.renewals.lazy.compactMap { $0 as? FIDOLogin }.first
    return ofMethod ?? FIDOLogin(loginContext, AuthenticatorDelegates())
  }
}
