import JOSE
import OpenSSL
import Synchronization

/// What is sealed, and under which passcode.
extension SlotSeal {
  /// Chooses a passcode for a user who has none, and seals further secrets.
  ///
  /// - Parameters:
  ///   - parts: which secrets.
  ///   - entry: chooses the passcode; `nil` for who is asked usually.
  /// - Throws: errors of the entry and the store.
  func add(
    _ parts: Set<SealedPart>, asking entry: (any PasscodeEntry)?
  ) async throws(SDKError) {
    // The passcode stays on this machine: the others could not use the login any more.
    guard try !environment.secrets.areShared() else {
      throw SDKError(.policy, cause: "other machines use its secrets too, and have no passcode")
    }
    var new: (key: DecryptionKey, passcode: EnrolledPasscode)?
    if try read().passcode == nil {
      guard let entry = entry ?? self.entry else { throw notOpened }
      let passcode = try await check().chosen(by: entry, for: owner)
      let key = try attempt { try DecryptionKey.generate(.ecdhES) }
      let cost =
        if let cost { cost } else {
          try await toItsEnd { () throws(SDKError) in try attempt { try ScryptCost.calibrated() } }
        }
      let sealed = try await check(cost).sealed(Array((key.pem ?? "").utf8), with: passcode)
      new = (key, EnrolledPasscode(sealed: sealed))
    }
    let chosen = new
    try await locked { () throws(SDKError) in
      var document = try read()
      if document.passcode == nil {
        guard let chosen else {
          throw SDKError(.busy, cause: "another process has removed the passcode")
        }
        document.key = chosen.key.publicKey
        document.passcode = chosen.passcode
        openedKey.withLock { $0 = chosen.key }
      }
      document.parts.formUnion(parts)
      try document.write()
    }
  }

  /// Seals nothing from now on; what is sealed stays so until it is written again, and the passcode opens it.
  func stop() async throws(SDKError) {
    try await change { document in document.parts = [] }
  }

  private func change(
    _ body: @Sendable (inout SealDocument) -> Void
  ) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      var document = try read()
      guard document.passcode != nil else { return }
      body(&document)
      try document.write()
    }
  }

  /// Changes the passcode; what is sealed stays as it is.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the new one, before the old
  ///   one is tried; ``SDKError/Code/wrongPasscode``; ``SDKError/Code/policy`` if no passcode is accepted now.
  func changePasscode(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    try check().require(new, insteadOf: old)
    try await locked { () async throws(SDKError) in
      var document = try read()
      try await check(document.passcode?.sealed.cost ?? .standard)
        .changePasscode(of: &document, from: old, to: new)
    }
  }

  /// Seals nothing of the user any more; the passcode stays if it seals what belongs to the profile.
  func forgetUser() async throws(SDKError) {
    guard try !read().parts.contains(where: \.isOfProfile) else {
      return try await change { document in
        document.parts = document.parts.filter(\.isOfProfile)
      }
    }
    try await remove()
  }
}
