import HTTP
import OAuth
import SDKCore

extension ClientArguments {
  /// The client metadata that is sent to the server.
  func metadata(_ context: Context) throws -> RegistrationOptions {
    var options = RegistrationOptions()
    options.clientName = clientName
    options.scope = scope
    options.redirectURI = try chosenRedirectURI()
    options.fallbackRedirectURIs = fallbackRedirectURIs
    options.method = method
    options.softwareID = softwareID
    options.softwareVersion = softwareVersion
    options.softwareStatement = try softwareStatement.map { file in
      try context.softwareStatement(file)
    }
    options.contacts = contacts
    options.encryptedResponses = encryptedResponses
    return options
  }

  /// The redirect URIs of the ports after the first one.
  var fallbackRedirectURIs: [String] { ports.dropFirst().map(Self.redirectURI) }

  private static func redirectURI(port: UInt16) -> String { "http://127.0.0.1:\(port)/callback" }

  /// The redirect URI that the options name; a client that exists may have any kind.
  func chosenRedirectURI(ofExisting exists: Bool = false) throws -> String? {
    if let port = ports.first { return Self.redirectURI(port: port) }
    guard let text = redirectURI else { return nil }
    switch RedirectURI(text)?.kind {
    case .loopback, .privateUse: return text
    case .openScheme, .claimed:
      guard !exists else { return text }
      fallthrough
    case nil:
      throw Failure.usage(
        "the redirect URI must be http://127.0.0.1[:PORT]/PATH, http://[::1][:PORT]/PATH, "
          + "http://localhost[:PORT]/PATH or of a scheme that is a domain name backwards, such as com.example.app:/callback",
        hints: exists
          ? [] : ["a client that exists may have another: sdkctl register --client-id ID"])
    }
  }
}
