import Synchronization

/// The sealed keys and the security tokens that a session has opened: the passphrase or the PIN of
/// each is asked for once.
final class OpenedKeys: KeyOpening {
  private typealias Opening = Task<Result<Identity, SDKError>, Never>

  private let store: IdentityStore
  /// The seals, each of which is opened once.
  let seals: ProfileSeals
  private let openings = Mutex<[ClientCertificateChain: Opening]>([:])

  init(_ store: IdentityStore, _ seals: ProfileSeals) {
    self.store = store
    self.seals = seals
  }

  /// The identity with its key unsealed; tasks that ask at the same time share the passphrase.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the passphrase is wrong or not given. The next call asks
  ///   again, but not for the PIN of a security token: wrong ones lock it.
  func opened(_ sealed: Identity) async throws(SDKError) -> Identity {
    if case .pem = sealed.key { return sealed }
    let opening = openings.withLock { openings in
      if let opening = openings[sealed.chain] { return opening }
      let opening = Opening { [store] in
        do throws(SDKError) {
          return .success(try await store.unsealed(sealed))
        } catch {
          return .failure(error)
        }
      }
      openings[sealed.chain] = opening
      return opening
    }
    let result = await opening.value
    if case .failure = result, !sealed.key.isInSecurityToken {
      openings.withLock { $0[sealed.chain] = nil }
    }
    return try result.get()
  }
}
