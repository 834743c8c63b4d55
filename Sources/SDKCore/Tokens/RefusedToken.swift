import Primitives

extension TokenService {
  /// Marks an access token as refused by a server, so that the next use renews it.
  ///
  /// Compares the value under the lock of the slot: a token that took its place stays as it is.
  /// Nothing is sent to a server.
  ///
  /// - Returns: whether the slot held that token.
  /// - Throws: ``SDKError/Code/busy`` if the lock is not free in time; errors of the store.
  @discardableResult
  public func markRefused(
    _ accessToken: String, in slot: CredentialSlot
  ) async throws(SDKError) -> Bool {
    let isStored = { () throws(SDKError) in
      sameIdentifier(try slots.stored(in: slot)?.accessToken, accessToken)
    }
    guard try isStored() else { return false }
    return try await environment.locked(slot.lock) { () throws(SDKError) in
      guard var tokens = try slots.stored(in: slot),
        sameIdentifier(tokens.accessToken, accessToken)
      else { return false }
      tokens.expires = min(tokens.expires ?? now(), now())
      try slots.file(slot).save(tokens)
      return true
    }
  }
}
