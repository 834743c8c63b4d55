import JOSE
import Primitives
import SDKCore

/// A stored token of a profile, and what belongs to it.
struct StoredToken {
  /// Which of the tokens of a slot it is.
  enum Kind: String, Sendable, Hashable {
    case access
    case refresh
    case id = "ID"
  }

  let text: String
  let kind: Kind
  let slot: CredentialSlot
  let tokens: TokenSet
  let session: ProfileSession

  /// Reads a token of a slot, without using the network: it may have expired.
  init(
    _ slot: CredentialSlot, _ kind: Kind, to action: String, _ session: ProfileSession
  ) async throws {
    let tokens = try await session.tokens.tokens(in: slot)
    if kind == .refresh, tokens?.isSealed == true {
      throw Failure(
        .notAuthenticated, "could not \(action) the token: it is sealed",
        hints: [ShellWord.sdkctl(of: session.profile.name, "profile", "unseal")])
    }
    guard let tokens, let text = kind.text(in: tokens) else {
      let profile = session.profile.name
      throw Failure(
        .notAuthenticated,
        "could not \(action) the token: '\(profile)' has no \(kind.rawValue) token",
        // Another login brings no token of a kind that this one did not bring.
        hints: tokens == nil && (kind != .refresh || slot == .user)
          ? [Remedy.login(.init(slot)).commandLine(for: profile)] : [])
    }
    self.text = text
    self.kind = kind
    self.slot = slot
    self.tokens = tokens
    self.session = session
  }

  var found: FoundToken { FoundToken(name: nil, text: text) }

  /// The commands that return something about an opaque token.
  var hints: [String] {
    let command = ShellWord.sdkctl(of: session.profile.name, "token")
    return slot == .user
      ? ["\(command) --json", "\(command) userinfo"] : ["\(command) --json\(slot.option)"]
  }
}

extension StoredToken.Kind {
  fileprivate func text(in tokens: TokenSet) -> String? {
    switch self {
    case .access: tokens.hasAccessToken ? tokens.accessToken : nil
    case .refresh: tokens.refreshToken
    case .id: tokens.idToken
    }
  }
}
