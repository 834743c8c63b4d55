package import OAuth

/// What a person may choose when registering; `nil` leaves it to the profile or as it is.
package struct RegistrationOptions: Sendable {
  package var clientName: String?
  package var scope: String?
  package var redirectURI: String?
  package var method: ClientAuthentication.Method?
  /// The certificate and its key, for a method that shows one; `nil` has them made.
  package var credential: ClientCredential?
  package var softwareID: String?
  package var softwareVersion: String?
  package var softwareStatement: String?
  package var contacts: [String] = []
  /// Whether the server is to encrypt what it answers.
  package var encryptedAnswers = false
  package var initialAccessToken: String?

  package init() {}
}
