import HTTP
import JOSE
import JSON
import OAuth
import POSIX
import Primitives

/// The registration of this installation at the authorization server (RFC 7591, RFC 7592).
public struct RegistrationService: Sendable {
  let login: LoginService
  let identities: IdentityStore
  /// The logins of all users but the given one.
  let others: @Sendable (UserID) throws(SDKError) -> [LoginService]

  var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }
  var tokens: TokenService { login.tokens }
  var server: AuthorizationServer { login.server }
  var records: RegistrationRecords { server.records }

  /// The registration of this installation; `nil` if it is not registered.
  ///
  /// - Throws: ``SDKError/Code/registeredElsewhere`` for a registration at another issuer.
  public func current() async throws(SDKError) -> Registration? { try await records.current() }

  /// The registration that can be used; `nil` also for one at another issuer.
  ///
  /// - Throws: ``SDKError`` if the stored registration cannot be read.
  public func usable() async throws(SDKError) -> Registration? { try await records.usable() }

  /// Ends the registration at the server (RFC 7592 section 2.3), after the tokens of all slots.
  ///
  /// The tokens are erased whatever the server says. The registration is kept when the
  /// server may still hold it: without it, nobody could try again.
  ///
  /// - Parameter isLocal: erase only, when the server is gone for good.
  /// - Returns: each step with its outcome; none when there was nothing to undo.
  /// - Throws: ``SDKError`` when the store cannot be read or erased.
  public func deregister(isLocal: Bool = false) async throws(SDKError) -> [LogoutStep] {
    await environment.update(of: nil)
    return try await Deregistration(logins: try logins()).steps(isLocal ? .serverGone : .wanted)
  }

  /// Deregisters the user of the session only: revokes the tokens, and removes all that is stored of the user.
  ///
  /// The registration of this installation stays. What could not be revoked is a step that has failed.
  ///
  /// - Throws: ``SDKError``: errors of the store, and damaged tokens unless `isLocal`.
  public func deregisterUser(isLocal: Bool = false) async throws(SDKError) -> [LogoutStep] {
    let steps = try await Deregistration(logins: [login]).emptied(isLocal ? .serverGone : .wanted)
    try await server.dpop.remove()
    try await tokens.slots.seal.forgetUser()
    try await environment.store.remove(environment.user, of: profile.name)
    return steps
  }

  private func logins() throws(SDKError) -> [LoginService] {
    [login] + (try others(environment.user))
  }

  /// Checks that the server registers clients, and has pins, before a person is asked for anything.
  ///
  /// - Throws: ``SDKError/Code/unsupported``, ``SDKError/Code/pin``, and errors of the network.
  public func requireServer() async throws(SDKError) {
    let metadata = try await server.metadata(offering: .registration)
    try attempt("could not register at \(metadata.issuer)") {
      try login.requirePins(for: [.registration], at: metadata)
    }
  }

  /// Registers this installation (RFC 7591) and stores the response of the server.
  ///
  /// A client that is registered already is replaced: its tokens are revoked and it is deleted at the
  /// server before (``Registration/formerSteps``). A redirect URI that is not given keeps its port.
  ///
  /// - Throws: ``SDKError/Code/unsupported`` if the server does not register clients;
  ///   ``SDKError/Code/refused`` and errors of the network and the store.
  public func register(_ options: RegistrationOptions) async throws(SDKError) -> Registration {
    let metadata = try await server.metadata(offering: .registration) { server in
      !options.encryptedResponses || (try? ResponseEncryption.algorithm(for: server)) != nil
    }
    return try await attempt("could not register at \(metadata.issuer)") {
      try login.requirePins(for: [.registration], at: metadata)
      var options = options
      if options.redirectURI == nil { options.redirectURI = await defaultRedirectURI() }
      return try await register(options, at: metadata)
    }
  }

  /// Ends the client in whose place another one comes, and stores that; one process does so at a time.
  ///
  /// What the server has made is stored also if the task is cancelled: a client of which nobody has the
  /// access token can be neither used nor deleted.
  private func replaced(
    by clientID: String?, _ credential: ClientCredential?,
    _ made: @escaping @Sendable () async throws(SDKError) -> Registration
  ) async throws(SDKError) -> Registration {
    await environment.update(of: nil)
    let former = Deregistration(logins: try logins())
    try await former.unseal(.replaced(by: clientID))
    return try await environment.locked(.registration) { () async throws(SDKError) in
      let space = try await records.file.proveWritable()
      let steps = try await ended(former, for: clientID)
      var registration = try await environment.uninterrupted { () async throws(SDKError) in
        let registration = try await made()
        space?.discard()
        try await store(registration, credential)
        return registration
      }
      registration.formerSteps = steps
      return registration
    }
  }

  /// Ends the former client, as far as the server lets it; reports each step.
  private func ended(
    _ former: Deregistration, for clientID: String?
  ) async throws(SDKError) -> [LogoutStep] {
    let steps = try await former.stepsUnderLock(.replaced(by: clientID))
    for step in steps { tokens.slots.notice?(.endedClient(step)) }
    for case .failed(let error) in steps.filter({ $0.action == .deleteRegistration }).map(\.outcome)
    where ![.refused, .unsupported].contains(error.code) {
      throw error
    }
    return steps
  }

  private func register(
    _ options: RegistrationOptions, at metadata: ServerMetadata
  ) async throws(SDKError) -> Registration {
    let method = options.method ?? ClientAuthentication.preferred(by: metadata)
    let credential = try newCredential(for: method, options, at: metadata)
    try await records.file.requirePlace(for: credential)
    let client = try clientMetadata(for: options, method, credential, at: metadata)
    // What cannot be registered has been refused by now.
    return try await replaced(by: nil, credential) { () async throws(SDKError) in
      let result = try await attempt(resource: .deviceRegistrationFailure) {
        try await ClientRegistration.register(
          client, at: metadata, initialAccessToken: options.initialAccessToken,
          over: environment.serverClient())
      }
      // What the server does not repeat it took as it was sent (RFC 7591 section 3.2.1).
      var kept = result.response.document.merging(
        result.sent.json, uniquingKeysWith: { old, _ in old })
      if kept["scope"]?.string?.isEmpty == true { kept["scope"] = nil }
      var registration = Registration(
        issuer: metadata.issuer.text, source: .dynamic, obtained: environment.now(), client: kept,
        key: credential?.key, certificate: credential?.certificate,
        encryptionKey: client.encryptionKey)
      registration.endpoints = SecretEndpoints(of: metadata, for: profile)
      registration.refusedGrants = result.refusedGrants
      return registration
    }
  }

  private func clientMetadata(
    for options: RegistrationOptions, _ method: ClientAuthentication.Method,
    _ credential: ClientCredential?, at metadata: ServerMetadata
  ) throws(SDKError) -> ClientMetadata {
    var client = ClientMetadata(
      clientName: options.clientName ?? login.programName,
      redirectURIs: options.redirectURI.map { [$0] + options.fallbackRedirectURIs } ?? [],
      grantTypes: ClientMetadata.grantTypes(confidential: method != .none),
      scope: options.scope ?? profile.registeredScope(at: metadata),
      authenticationMethod: method)
    client.key = credential?.key
    client.certificate = credential?.metadata
    client.bindsTokensToCertificate =
      method.usesCertificate && metadata.bindsTokensToCertificates
    if options.encryptedResponses {
      let key = try newEncryptionKey(at: metadata)
      client.encryptionKey = key
      client.encryptionMembers = ResponseEncryption.metadata(for: key, at: metadata)
    }
    client.requestAlgorithm = RequestObject.algorithm(
      of: method, key: credential?.key, at: metadata)
    client.softwareID = options.softwareID
    client.softwareVersion = options.softwareVersion
    client.softwareStatement = options.softwareStatement
    client.contacts = options.contacts
    client.bindsTokensToKey = profile.bindsTokens
    client.takesPasswords = profile.allowsPasswordGrant
    client.requiresScope = options.scope != nil || profile.scope != nil
    return client
  }

  func newEncryptionKey(at server: ServerMetadata) throws(SDKError) -> DecryptionKey {
    try attempt { try DecryptionKey.generate(try ResponseEncryption.algorithm(for: server)) }
  }

  /// Uses a client that was registered at the server by other means.
  ///
  /// Its redirect URI is chosen here unless it is given: logins use the same one from now on, and
  /// the server must allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without an issuer; errors of the store.
  public func use(existing given: ExistingClient) async throws(SDKError) -> Registration {
    guard let issuer = profile.issuer else {
      throw SDKError(
        .invalidConfiguration, "could not register: '\(profile.name)' has no issuer",
        subject: "issuer")
    }
    var document = given.document
    if given.redirectURI == nil {
      document["redirect_uris"] = .strings([await defaultRedirectURI()])
    }
    let credential = given.credential
    do { try await records.file.requirePlace(for: credential) } catch {
      throw error.during("could not register")
    }
    var registration = Registration(
      issuer: issuer.text, source: .given, obtained: environment.now(), client: document,
      key: credential?.key, certificate: credential?.certificate)
    registration.assertionSource = given.assertionSource
    // A server that cannot be reached now is asked by the login.
    registration.endpoints = SecretEndpoints(of: try? await server.metadata(), for: profile)
    let client = registration
    return try await replaced(by: given.clientID, credential) { client }
  }

  private func store(
    _ registration: Registration, _ credential: ClientCredential?
  ) async throws(SDKError) {
    try await records.file.save(registration, as: credential?.identity)
    // Tokens of the former client, and the keys that they are bound to, are of no use to the new
    // one.
    for login in try logins() {
      try await login.server.dpop.remove()
      for slot in CredentialSlot.allCases {
        try await environment.locked(slot.lock) { () async throws(SDKError) in
          _ = try await login.tokens.slots.erase(slot)
        }
      }
    }
  }

  /// The one of the profile, else a loopback address with a port, which logins then use again: the port of
  /// the profile, else of the client that is replaced.
  ///
  /// A server should take any port (RFC 8252 section 7.3), but many compare the whole
  /// URI. The range is outside that from which Linux takes ports for connections.
  private func defaultRedirectURI() async -> String {
    if let uri = profile.redirectURI { return uri }
    let stored = try? await records.file.load()
    let former = stored?.redirectURIs.compactMap { try? HTTPURL($0) }
    // Without a port it is that of http, on which no login listens.
    let port =
      profile.redirectPort
      ?? former?.first { $0.scheme == .http && $0.isLoopback && $0.port != 80 }?.port
      ?? UInt16.random(in: 61_000...65_535)
    return "http://127.0.0.1:\(port)/callback"
  }
}

extension Profile {
  /// All that the client may ever ask for (RFC 7591 section 2): as a user and by itself.
  ///
  /// A server may give a client that registers without scope none, and refuse a login that asks
  /// for more than is registered. So without a scope in the profile it is what a login asks for,
  /// and all else that the server announces.
  fileprivate func registeredScope(at server: ServerMetadata) -> String? {
    guard let login = LoginScope(nil, configured: self.scope, at: server).text else { return nil }
    let announced = self.scope == nil ? server.words("scopes_supported") ?? [] : []
    let own = "\(login) \(self.anonymousScope ?? "")".words
    var seen: Set<Identifier> = []
    return (own + announced.filter(Self.isScope).prefix(100))
      .filter { seen.insert(Identifier($0)).inserted }.joined(separator: " ")
  }

  /// Whether it is one scope (RFC 6749 section 3.3).
  private static func isScope(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
  }
}
