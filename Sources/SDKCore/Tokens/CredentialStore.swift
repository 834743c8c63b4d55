import JSON
import OAuth
import Primitives

/// The tokens of one slot on disk: `credentials/SLOT.json`, mode 0600.
struct CredentialStore: Sendable {
  let path: StorePath
  /// The issuer of the tokens; those of another issuer do not belong to this profile.
  private let issuer: String

  init(
    _ location: StoreLocation, _ profile: ProfileName, _ slot: CredentialSlot, issuer: String
  ) {
    self.issuer = issuer
    path = location.stateFile("profiles/\(profile)/credentials/\(slot.rawValue).json")
  }

  /// The tokens; `nil` when the slot is empty or holds cookies.
  func load() throws(SDKError) -> TokenSet? { try read().tokens }

  /// What the file holds; it must be readable.
  func read() throws(SDKError) -> SlotContent {
    guard let document = try StoreDocument.read(path, .secret) else { return .empty }
    let members = document.members
    guard sameIdentifier(members["issuer"]?.string, issuer) else { return .empty }
    if members["provider"]?.string == "cookies" {
      return .cookies(try CookieSession(stored: members, in: "'\(path)'"))
    }
    return .tokens(try TokenSet(stored: members, in: "'\(path)'"))
  }

  func save(_ tokens: TokenSet) throws(SDKError) { try save(tokens.stored) }

  func save(_ provider: AuthorizationProvider) throws(SDKError) {
    switch provider {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens): try save(tokens.stored)
    case .cookies(let session): try save(session.stored)
    }
  }

  private func save(_ members: [String: JSON?]) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    document.members["issuer"] = .string(issuer)
    for (name, value) in members { document.members[name] = value }
    try document.write()
  }

  func proveWritable() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).proveWritable()
  }

  func remove() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).remove()
  }
}
