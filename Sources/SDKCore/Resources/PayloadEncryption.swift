import HTTP
import JSON
import OAuth
import Primitives

extension ResourceService {
  func transport(for tokens: TokenSet?) async throws(SDKError) -> any Transport {
    guard try await encryptsPayload(of: tokens) else { return environment.transport }
    guard let key = profile.serverPublicKey else {
      throw SDKError(
        .invalidConfiguration,
        "could not encrypt the request: the profile has no serverPublicKey",
        subject: "serverPublicKey")
    }
    return EncryptedTransport(
      transport: environment.transport, key: key, now: environment.clock.now,
      deadline: environment.clock.limits.remaining.map { ContinuousClock.now + $0 })
  }

  /// Whether the profile or the server requires encryption; a profile cannot turn off the server's.
  ///
  /// The vendor's protocol is not public. We read a member `payload_encryption` in the responses of the
  /// registration and token endpoints.
  private func encryptsPayload(of tokens: TokenSet?) async throws(SDKError) -> Bool {
    if profile.encryptsPayload || tokens?.encryptsPayload == true { return true }
    let hasTokens = tokens != nil
    // A request without tokens reads the registration and the tokens of others only where it could be
    // encrypted at all; elsewhere it is refused if that was demanded.
    guard hasTokens || profile.serverPublicKey != nil else {
      return try PayloadDemand(environment.location, profile.name).isNoted()
    }
    return try await encryptionDemands.value(of: hasTokens) {
      () throws(SDKError) in try await serverDemandsEncryption(hasTokens)
    }
  }

  private func serverDemandsEncryption(_ hasTokens: Bool) async throws(SDKError) -> Bool {
    let registration = try await tokens.records.usable()
    if registration?.client["payload_encryption"]?.bool == true { return true }
    // The tokens of others may require encryption of requests without tokens.
    for slot in hasTokens ? [] : [CredentialSlot.user, .anonymous]
    where try await tokens.slots.recent(slot).tokens?.encryptsPayload == true {
      return true
    }
    return false
  }
}
