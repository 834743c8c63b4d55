import HTTP
import JOSE
import JSON
import OAuth
import Primitives

extension ProfileSession {
  /// What this installation is registered as; `nil` when it is not.
  public func registration() throws(SDKError) -> Registration? {
    let issuer = profile.issuer?.text ?? ""
    if let stored = try registrations.load() {
      guard sameIdentifier(stored.issuer, issuer) else {
        throw SDKError(
          .registeredElsewhere,
          "could not use the registration of '\(profile.name)': it is of another issuer, "
            + "'\(stored.issuer)'")
      }
      return stored
    }
    guard let clientID = profile.clientID else { return nil }
    return Registration(
      issuer: issuer, source: .given, obtained: 0,
      client: ["client_id": .string(clientID), "token_endpoint_auth_method": "none"])
  }

  /// The registration that can be used; one of another issuer counts as none.
  public func usableRegistration() throws(SDKError) -> Registration? {
    do {
      return try registration()
    } catch {
      guard error.code == .registeredElsewhere else { throw error }
      return nil
    }
  }

  /// The registration, ready to be used.
  ///
  /// - Throws: ``SDKError/Code/notRegistered``, or ``SDKError/Code/identity`` when its certificate
  ///   has expired: before there is a connection.
  func requiredRegistration() throws(SDKError) -> Registration {
    let registration = try manageableRegistration()
    if registration.method.usesCertificate {
      try registration.certificate?.requireValid(
        at: now(), of: registration, profile.name, "could not use '\(profile.name)'")
    }
    return registration
  }

  /// The registration, whose credential may have expired: its management has one of its own.
  func manageableRegistration() throws(SDKError) -> Registration {
    guard let registration = try registration() else {
      throw SDKError(
        .notRegistered, "could not use '\(profile.name)': this installation is not registered",
        subject: profile.name.description)
    }
    return registration
  }

  /// Registers this installation (RFC 7591) and keeps what the server answers.
  package func register(_ options: RegistrationOptions) async throws(SDKError) -> Registration {
    let metadata = try await metadata(offering: .registration) { server in
      !options.encryptedAnswers || (try? ResponseEncryption.algorithm(for: server)) != nil
    }
    let action = "could not register at \(metadata.issuer)"
    let method = options.method ?? ClientAuthentication.preferred(by: metadata)
    var client = ClientMetadata(
      clientName: options.clientName ?? "sdkctl",
      redirectURIs: [options.redirectURI ?? defaultRedirectURI],
      grantTypes: ClientMetadata.grantTypes(confidential: method != .none),
      scope: options.scope ?? profile.registeredScope(at: metadata),
      authenticationMethod: method)
    let credential = try newCredential(for: method, options, at: metadata, action)
    client.key = credential?.key
    client.certificate = credential?.metadata
    client.bindsTokensToCertificate =
      method.usesCertificate && metadata.bindsTokensToCertificates
    if options.encryptedAnswers {
      let key = try newEncryptionKey(at: metadata, action)
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
    let wanted = client
    try registrations.proveWritable()
    let result: ClientRegistration.Result
    do {
      result = try await ClientRegistration.register(
        wanted, at: metadata, initialAccessToken: options.initialAccessToken, over: exchange())
    } catch {
      throw SDKError(error, action, resource: .deviceRegistrationFailure)
    }
    // What the server does not repeat it took as it was sent (RFC 7591 section 3.2.1).
    var kept = result.answer.document.merging(result.sent.json, uniquingKeysWith: { old, _ in old })
    if kept["scope"]?.string?.isEmpty == true { kept["scope"] = nil }
    var registration = try await keep(kept, source: .dynamic, credential, wanted.encryptionKey)
    registration.refusedGrants = result.refusedGrants
    return registration
  }

  /// A key pair for a client to which the server encrypts.
  func newEncryptionKey(
    at server: ServerMetadata, _ action: String
  ) throws(SDKError) -> DecryptionKey {
    do {
      return try DecryptionKey.generate(try ResponseEncryption.algorithm(for: server))
    } catch let error as OAuthError {
      throw SDKError(error, action)
    } catch {
      throw SDKError(.unavailable, "\(action): no key pair could be made")
    }
  }

  /// Keeps a client that a person made at the server by other means.
  ///
  /// Its redirect URI is chosen here unless it is given: logins use the same one from now on, and
  /// the server must allow it.
  package func adopt(_ given: GivenClient) async throws(SDKError) -> Registration {
    var document = given.document
    if given.redirectURI == nil { document["redirect_uris"] = .strings([defaultRedirectURI]) }
    return try await keep(document, source: .given, given.credential)
  }

  private func keep(
    _ client: JSONObject, source: Registration.Source, _ credential: ClientCredential?,
    _ encryptionKey: DecryptionKey? = nil
  ) async throws(SDKError) -> Registration {
    guard let issuer = profile.issuer else {
      throw SDKError(
        .invalidConfiguration, "could not register: '\(profile.name)' has no issuer",
        subject: "issuer")
    }
    let registration = Registration(
      issuer: issuer.text, source: source, obtained: now(), client: client,
      key: credential?.key, certificate: credential?.certificate, encryptionKey: encryptionKey)
    try await locked(.registration) { () throws(SDKError) in
      try registrations.save(registration)
    }
    // Tokens of the former client, and the key that they are bound to, are of no use to the new one.
    try await removeDPoPKey()
    for slot in CredentialSlot.allCases {
      try await locked(slot.lock) { () throws(SDKError) in try credentials(slot).remove() }
    }
    return registration
  }

  var registrations: RegistrationStore { RegistrationStore(store.location, profile.name) }

  /// A loopback address with a port, which logins then use again.
  ///
  /// A server should take any port (RFC 8252 section 7.3), but many compare the whole
  /// URI. The range lies outside that from which Linux takes ports for connections.
  private var defaultRedirectURI: String {
    let port = profile.redirectPort ?? UInt16.random(in: 61_000...65_535)
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
    guard let login = LoginScope(nil, configured: scope, at: server).text else { return nil }
    let announced = scope == nil ? server.words("scopes_supported") ?? [] : []
    let own = "\(login) \(anonymousScope ?? "")".split(separator: " ").map(String.init)
    var seen: Set<Identifier> = []
    return (own + announced.filter(Self.isScope).prefix(100))
      .filter { seen.insert(Identifier($0)).inserted }.joined(separator: " ")
  }

  /// Whether it is one scope (RFC 6749 section 3.3).
  private static func isScope(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
  }
}
