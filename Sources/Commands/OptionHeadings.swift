import Arguments

// The headings of options in help and manual. Options without one are the most important ones.
extension Heading {
  static let parameters = Heading("Parameters")
  static let response = Heading("Response")
  static let batch = Heading("Many requests")
  static let outputFile = Heading("Output file")
  static let connection = Heading("Connection")
  static let preview = Heading("Preview")
  static let signInPage = Heading("Sign-in page")
  static let tokens = Heading("Tokens")
  static let authorizationRequest = Heading("Authorization request and response")
  static let proofOfPossession = Heading("Proof of possession")
  static let cookies = Heading("Cookies")
  static let otherTokens = Heading("Tokens with less scope, or for another service")
  static let existingClient = Heading("A client that exists")
  static let whichToken = Heading("Which token")
  static let keySource = Heading("Where the keys come from")
  static let expectedClaims = Heading("Expected claims")
  static let keys = Heading("Keys and certificates")
  static let keyDescription = Heading("Description of the key")
  static let passwords = Heading("Passwords")
  static let alternativeNames = Heading("Alternative names")
  static let securityTokenService = Heading("Security token service")
  static let software = Heading("Software")
}
