import OpenSSL
import Primitives
package import SDKCore
package import UAF

extension SoftwareAuthenticator {
  /// The keys that the server's policy accepts, those that it prefers first.
  ///
  /// `account` is the name of the user at the server; `nil` for any.
  package func keys(
    for request: UAFAuthenticationRequest, facetID: String, account: String? = nil
  ) throws(SDKError) -> [AuthenticatorKey] {
    let appID = request.header.application(of: facetID)
    let own = try keys().filter { key in
      sameIdentifier(key.appID, appID) && (account.map { sameIdentifier($0, key.username) } ?? true)
    }
    let descriptions = own.map { settings.description(encoding: $0.encoding, keyIDs: [$0.keyID]) }
    return request.policy.combinations(of: descriptions)
      .compactMap { $0.count == 1 ? own[$0[0]] : nil }
  }

  /// Proves to a server that the user is here, and confirms its transaction.
  ///
  /// The counter is on disk before it is signed. `account` is the name of the user at the server; `nil` for any.
  package func authenticate(
    _ request: UAFAuthenticationRequest, facetID: String, account: String? = nil,
    channelBinding: ChannelBinding = ChannelBinding(), delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthenticatorResponse {
    let found = try keys(for: request, facetID: facetID, account: account)
    let transaction = request.transaction
    let chosen = try await key(among: found, transaction, delegates)
    try await confirm(transaction, with: chosen, delegates)
    let challenge = FinalChallenge(
      appID: request.header.appID, challenge: request.challenge, facetID: facetID,
      channelBinding: channelBinding)
    var token: PrivateKey?
    if let uri = chosen.key.uri {
      token = try await securityTokens.authenticatorKey(inSecurityToken: uri)
    }
    return try await verifyingUser(chosen.username, mayEnrol: false, delegates) {
      (user, document) async throws(SDKError) in
      try await sign(request, challenge, transaction, chosen, user, token, &document)
    }
  }

  private func key(
    among keys: [AuthenticatorKey], _ transaction: UAFTransaction?,
    _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthenticatorKey {
    guard let first = keys.first else {
      throw failure(
        .noSuitableAuthenticator,
        "the authenticator \(settings.aaid) has no key that the server accepts")
    }
    guard keys.count > 1 else { return first }
    guard let select = delegates.account else {
      throw failure(
        .noSuitableAuthenticator, "the authenticator has several keys, and none is chosen")
    }
    let chosen = try await select(keys, transaction)
    guard keys.contains(where: { sameIdentifier($0.keyID, chosen.keyID) }) else {
      throw failure(.noSuitableAuthenticator, "the server does not accept the chosen key")
    }
    return chosen
  }

  private func confirm(
    _ transaction: UAFTransaction?, with key: AuthenticatorKey,
    _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) {
    guard let transaction else { return }
    guard let confirm = delegates.confirmation else {
      throw failure(
        .invalidTransactionContent, "nobody can be asked to confirm the transaction")
    }
    guard try await confirm(transaction, key) else {
      throw failure(.userCancelled, "the transaction was declined")
    }
  }

  private func sign(
    _ request: UAFAuthenticationRequest, _ challenge: FinalChallenge,
    _ transaction: UAFTransaction?, _ chosen: AuthenticatorKey, _ user: VerifiedUser,
    _ token: PrivateKey?, _ document: inout AuthenticatorDocument
  ) async throws(SDKError) -> AuthenticatorResponse {
    // Another process may have deleted it meanwhile, and its counter may have grown.
    guard
      let index = document.keys.firstIndex(where: { sameIdentifier($0.keyID, chosen.keyID) })
    else { throw failure(.keyDisappearedPermanently, "the key has been deleted") }
    let signer = try document.keys[index].signer(for: user, token)
    guard document.keys[index].signCounter < .max else { throw exhausted }
    document.keys[index].signCounter += 1
    try document.write()
    let key = document.keys[index]
    let nonce = try attempt { try Random.bytes(32) }
    let message = try await toItsEnd { () throws(SDKError) in
      try attempt {
        let data = SignedData(
          aaid: key.aaid, authenticatorVersion: AuthenticatorSettings.version,
          encoding: key.encoding, nonce: nonce,
          finalChallengeHash: try FinalChallenge.hash(challenge.encoded),
          transactionHash: try transaction?.hash, keyID: key.keyIDBytes,
          signCounter: key.signCounter)
        let assertion = AuthenticationAssertion(
          data, signature: try key.encoding.sign(try data.element().encoded, with: signer))
        return UAFResponse(
          header: request.header, finalChallenge: challenge.encoded,
          assertions: [try assertion.encoded()]
        ).encoded
      }
    }
    return AuthenticatorResponse(message: message, key: key)
  }
}
