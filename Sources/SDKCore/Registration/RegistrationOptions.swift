public import OAuth

/// What a person may choose when registering; `nil` leaves it to the profile or as it is.
public struct RegistrationOptions: Sendable {
  public var clientName: String?
  public var scope: String?
  public var redirectURI: String?
  public var method: ClientAuthentication.Method?
  /// The certificate and its key, for a method that shows one; `nil` has them made.
  public var credential: ClientCredential?
  public var softwareID: String?
  public var softwareVersion: String?
  public var softwareStatement: String?
  public var contacts: [String] = []
  /// Whether the server is to encrypt what it answers.
  public var encryptedAnswers = false
  public var initialAccessToken: String?

  public init() {}
}
