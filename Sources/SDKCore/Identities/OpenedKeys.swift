import Synchronization

/// The sealed keys and the security tokens that a session has opened: the passphrase or the PIN of
/// each is asked for once.
final class OpenedKeys: Sendable {
  private let store: IdentityStore
  let seals: ProfileSeals
  private let openings = Mutex<[ClientCertificateChain: SharedTask<Identity>]>([:])

  init(_ store: IdentityStore, _ seals: ProfileSeals) {
    self.store = store
    self.seals = seals
  }

  /// The identity with its key unsealed; tasks that ask at the same time share the passphrase.
  ///
  /// Called before a lock is taken: a person may take longer than others wait for the lock.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the passphrase is wrong or not given. The next call asks
  ///   again, but not for the PIN of a security token: wrong ones lock it.
  func opened(_ sealed: Identity) async throws(SDKError) -> Identity {
    if case .pem = sealed.key { return sealed }
    let opening = openings.withLock { openings in
      let opening = openings[sealed.chain] ?? SharedTask()
      openings[sealed.chain] = opening
      return opening
    }
    return try await opening.value(keepsFailure: sealed.key.isInSecurityToken) {
      [store] () throws(SDKError) in try await store.unsealed(sealed)
    }
  }
}
