import JOSE
import SDKCore

/// A stored token of a profile, and what belongs to it.
struct StoredToken {
  let text: String
  /// Whether it is the ID token.
  let isIDToken: Bool
  let tokens: TokenSet
  let session: ProfileSession

  /// Reads a token of a slot, without using the network.
  init(_ slot: CredentialSlot, idToken: Bool, to action: String, _ context: Context) throws {
    let session = try context.session()
    let tokens = try session.tokens.stored(in: slot)
    guard let tokens, let text = idToken ? tokens.idToken : tokens.accessToken else {
      throw Failure(
        .authenticationRequired, "not_authenticated",
        "could not \(action) the token: the profile '\(session.profile.name)' has none",
        hints: [Remedy.login(.init(slot)).commandLine(for: session.profile.name)])
    }
    self.text = text
    isIDToken = idToken
    self.tokens = tokens
    self.session = session
    hints = Self.hints(slot, session.profile.name)
  }

  /// The commands that return something about an opaque token.
  let hints: [String]

  private static func hints(_ slot: CredentialSlot, _ profile: ProfileName) -> [String] {
    let command = "sdkctl -p \(profile) token"
    return slot == .user
      ? ["\(command) --json", "\(command) userinfo"] : ["\(command) --json\(slot.option)"]
  }
}
