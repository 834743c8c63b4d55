/// What the file of a slot holds.
enum SlotContent: Sendable, Hashable {
  case empty
  case tokens(TokenSet)
  /// The session of a login that is not OAuth.
  case cookies(CookieSession)
  /// The file is there and cannot be understood: only a new login or erasing it helps.
  case damaged(SDKError)

  var tokens: TokenSet? {
    if case .tokens(let tokens) = self { tokens } else { nil }
  }

  /// What a request carries; `nil` if there is nothing that can be used.
  var provider: AuthorizationProvider? {
    switch self {
    case .tokens(let tokens): AuthorizationProvider(tokens)
    case .cookies(let session): .cookies(session)
    case .empty, .damaged: nil
    }
  }

  /// Why the file cannot be understood; `nil` if it can.
  var damage: SDKError? {
    if case .damaged(let error) = self { error } else { nil }
  }
}

extension CredentialStore {
  /// What the slot holds, for callers that replace or erase it whatever it is.
  ///
  /// - Throws: ``SDKError`` for a file of a newer version, and for one that is not safe to read:
  ///   those are not damaged, and there is a way to read them.
  func content() throws(SDKError) -> SlotContent {
    do {
      return try read()
    } catch {
      guard error.isDamage else { throw error }
      return .damaged(error)
    }
  }
}
