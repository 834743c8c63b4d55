import OAuth
import SDKCore

extension Register.Arguments {
  /// Why the options cannot be used together; `nil` if they can.
  var conflict: String? {
    certificateConflict(isGiven: clientID != nil)
      ?? (clientID == nil ? conflictOfNew : conflictOfGiven)
  }

  private var conflictOfNew: String? {
    if clientSecretStdin || clientSecretFile != nil {
      return "a client secret needs --client-id"
    }
    return clientKeyFile == nil || clientCertificate != nil
      ? nil : "--client-key-file needs --client-id"
  }

  private var conflictOfGiven: String? {
    if tokenStdin || tokenFile != nil {
      return "--client-id cannot be used with an initial access token"
    }
    if (softwareID ?? softwareVersion ?? softwareStatement ?? contacts.first) != nil {
      return "--client-id cannot be used with software or contacts"
    }
    if encryptedAnswers {
      return "--client-id cannot be used with --encrypted-answers"
    }
    if clientKeyFile == nil, method == .privateKeyJWT {
      return "--auth-method private_key_jwt needs --client-key-file with --client-id"
    }
    if clientKeyFile != nil, let method, method != .privateKeyJWT, !method.usesCertificate {
      return "--client-key-file is for --auth-method private_key_jwt only"
    }
    return nil
  }

  /// What a new client is registered with.
  func options(_ context: Context) throws(Failure) -> RegistrationOptions {
    var options = try metadata(context)
    options.credential = try credential(context)
    options.initialAccessToken = try context.secret(
      "initial access token", standardInput: tokenStdin, file: tokenFile)
    return options
  }

  /// The client that exists; `nil` if a new one is to be registered.
  func existingClient(_ context: Context) throws(Failure) -> ExistingClient? {
    guard let clientID else { return nil }
    let secret = try context.secret(
      "client secret", standardInput: clientSecretStdin, file: clientSecretFile)
    let credential = try credential(context)
    let key = try clientKeyFile.map { (file) throws(Failure) in try context.privateKey(file) }
    return ExistingClient(
      clientID: clientID, secret: secret,
      method: method
        ?? (key != nil ? .privateKeyJWT : secret != nil ? .basic : .none),
      redirectURI: try chosenRedirectURI(), key: credential?.key ?? key,
      certificate: credential?.certificate,
      certificateName: credential?.name ?? .subject)
  }
}
