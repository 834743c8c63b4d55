import JSON
import OAuth
import POSIX

extension RegistrationService {
  /// Reads the registration of this client at the server, and stores it (RFC 7592 section 2.1).
  ///
  /// A client that was given is described if the server has an endpoint for that, and not stored.
  ///
  /// - Throws: ``SDKError``: `unsupported` when the registration is not managed,
  ///   `refused` when the server no longer takes the registration access token.
  public func read() async throws(SDKError) -> Registration {
    let action = "could not read the registration of '\(profile.name)'"
    let known = try await records.manageable()
    if known.source == .given {
      let client = try await attempt(action) { try await server.validatedClient().client }
      var described = known
      described.client = known.client.merging(client, uniquingKeysWith: { $1 })
      return described
    }
    return try await managing(action) { (management, registration) throws(SDKError) in
      let response = try await exchangingManagement { () throws(OAuthError) in
        try await management.read()
      }
      return (registration.updated(by: response.document, over: registration.client), nil, nil)
    }
  }

  /// The identity providers with which users can register: those that the server lists for this client, else
  /// those of the profile, whose names are not known.
  ///
  /// - Throws: ``SDKError``: `unsupported` if neither has any; `refused` if the server does not accept the
  ///   client.
  public func identityProviders() async throws(SDKError) -> [IdentityProvider] {
    let action = "could not list the identity providers"
    let own = profile.identityProviders?.map { IdentityProvider(id: $0, name: $0) }
    do throws(SDKError) {
      let client = try await attempt(action) { try await server.validatedClient() }
      if let listed = client.identityProviders { return listed }
    } catch {
      guard error.code == .unsupported else { throw error }
    }
    guard let own else {
      throw SDKError(
        .unsupported, "\(action): the server does not list any",
        subject: profile.name.description)
    }
    return own
  }

  /// Asks the server whether it still accepts this installation, as the vendors' SDKs do at their start.
  ///
  /// - Throws: ``SDKError``: `refused` with the vendors' number if it does not; `unsupported` if it cannot
  ///   tell.
  public func validate() async throws(SDKError) {
    _ = try await attempt(AuthorizationServer.validationAction) {
      try await server.validatedClient()
    }
  }

  /// Changes the registration at the server, and stores the response (RFC 7592 section 2.2).
  ///
  /// The server's copy is read first, so that only the given members change. A new token or secret
  /// is stored before it is used.
  ///
  /// - Throws: ``SDKError/Code/notRegistered``; ``SDKError/Code/unsupported`` if the server does
  ///   not let clients manage their registration; ``SDKError/Code/refused`` and errors of the network
  ///   and the store.
  public func update(
    _ changes: RegistrationOptions
  ) async throws(SDKError) -> Registration {
    let action = "could not update the registration of '\(profile.name)'"
    let metadata = try await server.metadata()
    let changes = try await sealing(changes)
    return try await managing(action) {
      (management, registration) throws(SDKError) in
      let known = try await exchangingManagement { () throws(OAuthError) in
        try await management.read()
      }
      let before = registration.updated(by: known.document, over: registration.client)
      // The read may have changed the token already.
      try await records.file.save(before)
      let new = try changes.method.flatMap { (method) throws(SDKError) in
        try newCredential(for: method, changes, at: metadata)
      }
      try await records.file.requirePlace(for: new)
      // Before the server answers with a new token: until that is stored, a kill would lose it.
      let key = (new?.key ?? before.key).map { IdentityKey($0) }
      let kept = try await key?.sealed(with: changes.passphrase)
      let encryptionKey =
        changes.encryptedResponses
        ? try newEncryptionKey(at: metadata) : before.encryptionKey
      var changed = before.client
      changes.apply(to: &changed, new, at: metadata)
      if changes.encryptedResponses, let encryptionKey {
        changed.merge(
          ResponseEncryption.metadata(for: encryptionKey, at: metadata), uniquingKeysWith: { $1 })
      }
      ClientMetadata.publish(encryptionKey, in: &changed)
      // A profile that says nothing leaves the member as it is; "never" changes it where it is present.
      if profile.bindsTokens || (profile.dpop != nil && changed[DPoP.bindsTokens] != nil) {
        changed[DPoP.bindsTokens] = .bool(profile.bindsTokens)
      }
      let sent = changed
      let response = try await exchangingManagement { () throws(OAuthError) in
        try await ClientManagement(before.client, over: environment.serverClient()).update(sent)
      }
      let after = before.updated(
        by: response.document, over: sent, new: new, newEncryptionKey: encryptionKey)
      return (after, new?.identity, kept)
    }
  }

  /// The changes with the passphrase of a sealed key that is replaced: the new one is sealed too.
  private func sealing(
    _ changes: RegistrationOptions
  ) async throws(SDKError) -> RegistrationOptions {
    guard changes.passphrase == nil, changes.credential == nil,
      changes.method?.usesCertificate == true, let registration = try await records.usable(),
      let identity = try await records.file.identity(of: registration)
    else { return changes }
    guard identity.key.isSealed else { return changes }
    var changes = changes
    changes.passphrase = try await identities.unsealed(identity).passphrase?.bytes
    return changes
  }

  /// Runs an exchange with the management, and holds space for its response; what a 401 means only the server knows.
  private func exchangingManagement(
    _ body: () async throws(OAuthError) -> ClientRegistration
  ) async throws(SDKError) -> ClientRegistration {
    let space = try await records.file.proveWritable()
    do {
      defer { space?.discard() }
      return try await body()
    } catch {
      guard error.server?.status == 401 else { throw SDKError(error) }
      throw SDKError(
        .refused,
        cause: "the server no longer accepts the client or its access token "
          + "(\(error.message))",
        serverError: error.server?.error, subject: profile.name.description,
        remedy: .registerAnew)
    }
  }

  /// One process manages at a time; it ends what it has begun, and keeps what it gets.
  private func managing(
    _ action: String,
    _ body:
      @escaping @Sendable (ClientManagement, Registration) async throws(SDKError)
      -> (Registration, IdentityName?, IdentityKey?)
  ) async throws(SDKError) -> Registration {
    _ = try await records.openedByPasscode(try await records.manageable())
    return try await environment.locked(.registration) { () throws(SDKError) in
      try await environment.uninterrupted { () async throws(SDKError) in
        let registration = try await records.manageable()
        let (managed, identity, key) = try await attempt(action) {
          try await body(try server.management(of: registration), registration)
        }
        try await records.file.save(managed, sealed: key, as: identity)
        return managed
      }
    }
  }
}

extension RegistrationService {
  func renewSelfSignedCertificate(sealedWith passphrase: [UInt8]?) async throws(SDKError) {
    var changes = RegistrationOptions()
    changes.method = .selfSignedTLSClientAuth
    changes.passphrase = passphrase
    _ = try await update(changes)
  }
}
