public import OAuth

/// The options of a registration; `nil` leaves a value to the profile, or unchanged.
public struct RegistrationOptions: Sendable {
  /// The name that the server shows to people.
  public var clientName: String?
  /// All scopes that the client may ever request, separated by spaces.
  public var scope: String?
  /// The redirect URI; `nil` for a loopback address.
  public var redirectURI: String?
  /// How the client authenticates; `nil` for what the server prefers.
  public var method: ClientAuthentication.Method?
  /// The certificate and its key, for a method that shows one; `nil` has them made.
  public var credential: ClientCredential?
  /// Seals the key of a certificate that is made; `nil` leaves it unsealed.
  package var passphrase: [UInt8]?
  /// The identifier of the software (RFC 7591 section 2).
  public var softwareID: String?
  /// The version of the software.
  public var softwareVersion: String?
  /// The software statement, a JWT (RFC 7591 section 2.3).
  public var softwareStatement: String?
  /// The addresses of people who are responsible for the client.
  public var contacts: [String] = []
  /// Whether the server must encrypt its responses.
  public var encryptedResponses = false
  /// The token that allows the registration (RFC 7591 section 1.2).
  public var initialAccessToken: String?

  /// Makes options that leave everything to the profile and the server.
  public init() {}
}
