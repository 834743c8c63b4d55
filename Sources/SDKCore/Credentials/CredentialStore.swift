import JSON

/// The tokens of one slot on disk: `credentials/SLOT.json`, mode 0600.
struct CredentialStore: Sendable {
  private let path: String
  /// Whose tokens these are; those of another issuer are none of this profile's.
  private let issuer: String

  init(
    _ location: StoreLocation, _ profile: ProfileName, _ slot: CredentialSlot, issuer: String
  ) {
    self.issuer = issuer
    path = "\(location.state(of: profile))/credentials/\(slot.rawValue).json"
  }

  /// The tokens; `nil` when the slot is empty.
  func load() throws(SDKError) -> TokenSet? {
    guard let document = try StoreDocument.read(path, .secret) else { return nil }
    let members = document.members
    guard members["issuer"]?.string == issuer else { return nil }
    guard let accessToken = members["accessToken"]?.string,
      let obtained = members["obtained"]?.int
    else {
      throw SDKError(
        .invalidConfiguration, "could not read '\(path)': 'accessToken' or 'obtained' is missing")
    }
    return TokenSet(
      accessToken: accessToken, tokenType: members["tokenType"]?.string ?? "Bearer",
      expires: members["expires"]?.int, scope: members["scope"]?.string,
      refreshToken: members["refreshToken"]?.string, idToken: members["idToken"]?.string,
      obtained: obtained)
  }

  func save(_ tokens: TokenSet) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    document.members["issuer"] = .string(issuer)
    document.members["accessToken"] = .string(tokens.accessToken)
    document.members["tokenType"] = .string(tokens.tokenType)
    document.members["expires"] = tokens.expires.map { .int($0) }
    document.members["scope"] = tokens.scope.map { .string($0) }
    document.members["refreshToken"] = tokens.refreshToken.map { .string($0) }
    document.members["idToken"] = tokens.idToken.map { .string($0) }
    document.members["obtained"] = .int(tokens.obtained)
    try document.write()
  }

  func remove() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).remove()
  }
}
