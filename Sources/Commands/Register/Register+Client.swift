import JOSE
import OAuth
import SDKCore

extension Register.Arguments {
  /// What a new client is registered with.
  func options(
    _ context: Context, _ session: ProfileSession
  ) async throws -> RegistrationOptions {
    var options = try client.metadata(context)
    options.initialAccessToken = try context.secret("initial access token", file: tokenFile)
    try await session.registration.requireServer()
    options.credential = try await client.credential(context, session)
    return options
  }

  /// The client that exists; `nil` if a new one is to be registered.
  func existingClient(
    _ context: Context, _ session: ProfileSession
  ) async throws -> ExistingClient? {
    guard let clientID else { return nil }
    let secret = try context.secret("client secret", file: clientSecretFile)
    let credential = try await client.credential(context, session)
    let key = try client.clientKeyFile.map { (file) throws in
      try ClientCredential(privateKey: String(decoding: context.clientKey(file), as: UTF8.self))
    }
    let source = try assertion.source(file: assertionFile)
    var client = ExistingClient(
      clientID: clientID, secret: secret,
      method: self.client.method
        ?? (source != nil
          ? .foreignAssertion : key != nil ? .privateKeyJWT : secret != nil ? .basic : .none),
      redirectURI: try self.client.chosenRedirectURI(ofExisting: true),
      credential: credential ?? key)
    client.assertionSource = source
    client.fallbackRedirectURIs = self.client.fallbackRedirectURIs
    return client
  }
}

extension Context {
  /// The content of a file with a private key.
  func clientKey(_ file: String) throws -> [UInt8] {
    try secretBytes("client key", orInput: "--client-key-file -", file: file)
  }

  /// A software statement: a JWT, and no secret.
  func softwareStatement(_ file: String) throws -> String {
    var bytes = try read(file, "the software statement", limit: 1 << 16)
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      _ = try JWT(text)
    } catch {
      throw Failure.usage("could not use the software statement: \(error.message)")
    }
    return text
  }
}
