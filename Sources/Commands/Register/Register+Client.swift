import OAuth
import SDKCore

extension Register.Arguments {
  /// Why the options cannot be used together; `nil` if they can.
  var conflict: String? {
    client.certificateConflict(isGiven: clientID != nil)
      ?? (clientID == nil ? conflictOfNew : conflictOfGiven)
  }

  private var conflictOfNew: String? {
    if clientSecretStdin || clientSecretFile != nil {
      return "a client secret needs --client-id"
    }
    return client.clientKeyFile == nil || client.clientCertificate != nil
      ? nil : "--client-key-file needs --client-id"
  }

  private var conflictOfGiven: String? {
    if tokenStdin || tokenFile != nil {
      return "--client-id cannot be used with an initial access token"
    }
    if (client.softwareID ?? client.softwareVersion ?? client.softwareStatement
      ?? client.contacts.first) != nil
    {
      return "--client-id cannot be used with software or contacts"
    }
    if client.encryptedResponses {
      return "--client-id cannot be used with --encrypted-responses"
    }
    if client.clientKeyFile == nil, client.method == .privateKeyJWT {
      return "--auth-method private_key_jwt needs --client-key-file with --client-id"
    }
    if client.clientKeyFile != nil, let method = client.method, method != .privateKeyJWT,
      !method.usesCertificate
    {
      return "--client-key-file is for --auth-method private_key_jwt only"
    }
    return nil
  }

  /// What a new client is registered with.
  func options(
    _ context: Context, _ session: ProfileSession
  ) async throws -> RegistrationOptions {
    var options = try client.metadata(context)
    options.credential = try await client.credential(context, session)
    options.initialAccessToken = try context.secret(
      "initial access token", standardInput: tokenStdin, file: tokenFile)
    return options
  }

  /// The client that exists; `nil` if a new one is to be registered.
  func existingClient(
    _ context: Context, _ session: ProfileSession
  ) async throws -> ExistingClient? {
    guard let clientID else { return nil }
    let secret = try context.secret(
      "client secret", standardInput: clientSecretStdin, file: clientSecretFile)
    let credential = try await client.credential(context, session)
    let key = try client.clientKeyFile.map { file in try context.privateKey(file)
    }
    return ExistingClient(
      clientID: clientID, secret: secret,
      method: client.method
        ?? (key != nil ? .privateKeyJWT : secret != nil ? .basic : .none),
      redirectURI: try client.chosenRedirectURI(),
      credential: credential ?? key.map { ClientCredential(key: $0) })
  }
}
