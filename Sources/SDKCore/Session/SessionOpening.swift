package import HTTP
import JSON
import Primitives
import Synchronization

/// How a session is opened, so that another one can be opened in the same way.
final class SessionOpening: Sendable {
  let name: ProfileName
  let store: ProfileStore
  let injectedToken: InjectedToken?
  let options: SessionOptions
  let limits: SessionLimits
  let now: @Sendable () -> Timestamp
  let pause: @Sendable (Duration) async throws -> Void
  let network: Network

  init(
    _ name: ProfileName, in store: ProfileStore, injectedToken: InjectedToken? = nil,
    options: SessionOptions, limits: SessionLimits? = nil,
    now: @escaping @Sendable () -> Timestamp,
    pause: @escaping @Sendable (Duration) async throws -> Void, network: Network
  ) {
    self.name = name
    self.store = store
    self.injectedToken = injectedToken
    self.options = options
    self.limits = limits ?? SessionLimits(options.timeout, deadline: options.deadline)
    self.now = now
    self.pause = pause
    self.network = network
  }

  /// The same for another profile, without the token from outside the store.
  func of(_ name: ProfileName) -> SessionOpening { of(name, nil, nil) }

  /// The same for another user of the profile, without that token.
  func of(_ user: UserID) -> SessionOpening { of(name, user, nil) }

  func again(as user: UserID) -> SessionOpening { of(name, user, injectedToken) }

  private func of(
    _ name: ProfileName, _ user: UserID?, _ injectedToken: InjectedToken?
  ) -> SessionOpening {
    var options = options
    options.userID = user
    return SessionOpening(
      name, in: store, injectedToken: injectedToken, options: options, limits: limits, now: now,
      pause: pause, network: network)
  }
}

/// The tokens that an enrolment service gets: the profile's, or those of another one.
package final class SessionTokens: Sendable {
  private let opening: SessionOpening
  private let tokens: TokenService
  private let keys: OpenedKeys
  /// The sessions of other profiles, whose passcodes are asked for once.
  private let others = Mutex<[ProfileName: ProfileSession]>([:])

  init(opening: SessionOpening, tokens: TokenService, keys: OpenedKeys) {
    self.opening = opening
    self.tokens = tokens
    self.keys = keys
  }

  /// Asks for the passcode of a sealed token that must be renewed, and for a login that is needed, before a lock is
  /// taken.
  ///
  /// `profile` names another profile whose slot it is.
  package func prepare(
    _ slot: CredentialSlot, of profile: ProfileName?
  ) async throws(SDKError) {
    try await (try otherSession(profile)?.tokens ?? tokens).prepare(slot)
    // A login takes as long as the person.
    if opening.options.identityLogin != nil { _ = try await token(of: slot, of: profile) }
  }

  /// The header field with a valid token; the user is logged in first if that helps and somebody can be asked.
  package func authorization(
    of slot: CredentialSlot, of profile: ProfileName?
  ) async throws(SDKError) -> HTTPField {
    try await token(of: slot, of: profile).authorization
  }

  private func token(
    of slot: CredentialSlot, of profile: ProfileName?
  ) async throws(SDKError) -> TokenSet {
    guard let session = try otherSession(profile) else {
      return try await token(of: slot, from: tokens) { () throws(SDKError) in
        try ProfileSession(opening, sharing: keys)
      }
    }
    return try await token(of: slot, from: session.tokens) { () throws(SDKError) in session }
  }

  private func otherSession(_ name: ProfileName?) throws(SDKError) -> ProfileSession? {
    guard let name else { return nil }
    return try others.withLock { (known) throws(SDKError) in
      let session =
        if let session = known[name] { session } else { try ProfileSession(opening.of(name)) }
      known[name] = session
      return session
    }
  }

  private func token(
    of slot: CredentialSlot, from tokens: TokenService,
    loggingInTo session: () throws(SDKError) -> ProfileSession
  ) async throws(SDKError) -> TokenSet {
    let owner = await RequestOwner(tokens.slots)
    do throws(SDKError) {
      return try await tokens.valid(for: slot)
    } catch {
      guard var login = error.userLogin else { throw error }
      guard let logIn = opening.options.identityLogin else {
        login.profile = tokens.profile.name == opening.name ? nil : tokens.profile.name
        throw error.with(remedy: .login(login))
      }
      try await logIn(try session(), login)
    }
    // The request for which the identity is obtained is the former user's.
    try await owner.confirm(nil)
    return try await tokens.valid(for: slot)
  }
}

/// A session of a profile whose settings and pins are those that are stored: for a program that runs for long.
public final class CurrentSession: Sendable {
  private let session: Mutex<ProfileSession>

  /// Begins with an opened session; others are of the same user.
  public init(_ session: ProfileSession) { self.session = Mutex(session) }

  /// The session: another one if settings or pins have been replaced, with connections of its own.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read any more.
  public func get() throws(SDKError) -> ProfileSession {
    try session.withLock { session throws(SDKError) in
      if try session.isOutdated() { session = try session.reopened() }
      return session
    }
  }
}

extension ProfileSession {
  fileprivate func isOutdated() throws(SDKError) -> Bool {
    let settings = try opening.store.profile(opening.name)
    let stored = try PinStore(opening.store.location, opening.name).load()
    return settings != profile || stored != pins
  }

  fileprivate func reopened() throws(SDKError) -> ProfileSession {
    try ProfileSession(opening.again(as: userID), sharing: openedKeys)
  }
}
