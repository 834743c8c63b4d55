import JOSE
import JSON
import Primitives

/// The key that the tokens of a profile are bound to: `dpop.json`, mode 0600.
struct DPoPKeyStore: Sendable {
  private let path: StorePath
  /// Whose tokens it is for: two servers must not recognise a user by one key.
  private let issuer: String

  init(_ location: StoreLocation, _ profile: ProfileName, issuer: String) {
    self.issuer = issuer
    path = location.stateFile("profiles/\(profile)/dpop.json")
  }

  /// The key; `nil` when there is none for this issuer.
  func load() throws(SDKError) -> SigningKey? {
    guard let document = try StoreDocument.read(path, .secret) else { return nil }
    guard sameIdentifier(document.members["issuer"]?.string, issuer) else { return nil }
    guard let key = SigningKey(stored: .object(document.members)) else {
      throw SDKError(.invalidConfiguration, "could not read '\(path)': it holds no private key")
    }
    return key
  }

  func save(_ key: SigningKey) throws(SDKError) {
    var members = key.stored
    members["issuer"] = .string(issuer)
    try StoreDocument(path: path, secrecy: .secret, members: members).write()
  }

  func remove() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).remove()
  }
}
