import JSON
import OAuth
import Primitives

/// The tokens of one slot on disk: `credentials/SLOT.json`, mode 0600.
struct CredentialStore: Sendable {
  private let path: StorePath
  /// Whose tokens these are; those of another issuer are none of this profile's.
  private let issuer: String

  init(
    _ location: StoreLocation, _ profile: ProfileName, _ slot: CredentialSlot, issuer: String
  ) {
    self.issuer = issuer
    path = location.stateFile("profiles/\(profile)/credentials/\(slot.rawValue).json")
  }

  /// The tokens; `nil` when the slot is empty.
  func load() throws(SDKError) -> TokenSet? {
    guard let document = try StoreDocument.read(path, .secret) else { return nil }
    let members = document.members
    guard sameIdentifier(members["issuer"]?.string, issuer) else { return nil }
    guard let accessToken = members["accessToken"]?.string else {
      throw SDKError(
        .invalidConfiguration, "could not read '\(path)': 'accessToken' is missing or no string")
    }
    guard let obtained = try time("obtained", of: members) else {
      throw SDKError(.invalidConfiguration, "could not read '\(path)': 'obtained' is missing")
    }
    var tokens = TokenSet(
      accessToken: accessToken, tokenType: members["tokenType"]?.string ?? "Bearer",
      expires: try time("expires", of: members), scope: members["scope"]?.string,
      refreshToken: members["refreshToken"]?.string, idToken: members["idToken"]?.string,
      obtained: obtained)
    tokens.resources = members["resources"]?.strings ?? []
    tokens.loginScope = members["loginScope"]?.string
    tokens.authorizationDetails = members["authorizationDetails"]
    tokens.usage = TokenUsage(stored: members["usage"])
    return tokens
  }

  /// A time that cannot be read must not become "never".
  private func time(
    _ name: String, of members: JSONObject
  ) throws(SDKError) -> Timestamp? {
    guard let value = members[name], value != .null else { return nil }
    guard let time = value.time, (0...253_402_300_799).contains(time) else {
      throw SDKError(
        .invalidConfiguration,
        "could not read '\(path)': '\(name)' is not a time in seconds since 1970")
    }
    return time
  }

  func save(_ tokens: TokenSet) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    document.members["issuer"] = .string(issuer)
    document.members["accessToken"] = .string(tokens.accessToken)
    document.members["tokenType"] = .string(tokens.tokenType)
    document.members["expires"] = tokens.expires.map { .time($0) }
    document.members["scope"] = tokens.scope.map { .string($0) }
    document.members["refreshToken"] = tokens.refreshToken.map { .string($0) }
    document.members["idToken"] = tokens.idToken.map { .string($0) }
    document.members["obtained"] = .time(tokens.obtained)
    document.members["resources"] = tokens.resources.isEmpty ? nil : .strings(tokens.resources)
    document.members["loginScope"] = tokens.loginScope.map { .string($0) }
    document.members["authorizationDetails"] = tokens.authorizationDetails
    document.members["usage"] = tokens.usage.stored
    try document.write()
  }

  func proveWritable() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).proveWritable()
  }

  func remove() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).remove()
  }
}
