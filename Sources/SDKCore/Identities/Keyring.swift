/// Remembers the passphrase that opened an identity.
actor Keyring {
  private let unlock: IdentityStore.Unlock?
  private(set) var used: [UInt8]?

  init(_ unlock: IdentityStore.Unlock?) { self.unlock = unlock }

  nonisolated var passphrase: IdentityStore.Unlock? {
    guard let unlock else { return nil }
    return { (identity) async throws(SDKError) in
      let passphrase = try await unlock(identity)
      await self.keep(passphrase)
      return passphrase
    }
  }

  private func keep(_ passphrase: [UInt8]) { used = passphrase }
}
