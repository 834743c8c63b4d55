import OpenSSL
import Primitives
import SDKCore
import UAF

/// What a user has agreed to sign, and with which key.
struct AuthenticationConsent: Sendable {
  let request: UAFAuthenticationRequest
  let challenge: FinalChallenge
  /// The key, as it was when it was chosen.
  let key: AuthenticatorKey
  /// The private key, if it is in a security token.
  let token: PrivateKey?
}

extension SoftwareAuthenticator {
  /// The keys that the server's policy accepts, those that it prefers first.
  ///
  /// `account` is the name of the user at the server; `nil` for any.
  func keys(
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

  /// Lets the user choose a key and confirm the transaction; takes no lock.
  ///
  /// `account` is the name of the user at the server; `nil` for any.
  func consent(
    to request: UAFAuthenticationRequest, facetID: String, account: String? = nil,
    channelBinding: ChannelBinding = ChannelBinding(), delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthenticationConsent {
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
    return AuthenticationConsent(
      request: request, challenge: challenge, key: chosen, token: token)
  }

  /// Verifies the user, and proves to a server that they are here and have confirmed its transaction.
  ///
  /// The counter is on disk before it is signed.
  func sign(
    _ consent: AuthenticationConsent, delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthenticatorResponse {
    try await verifyingUser(consent.key.username, mayEnrol: false, delegates) {
      (user, document) async throws(SDKError) in
      try await sign(consent, user, &document)
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
    _ consent: AuthenticationConsent, _ user: VerifiedUser, _ document: inout AuthenticatorDocument
  ) async throws(SDKError) -> AuthenticatorResponse {
    // Another process may have deleted it meanwhile, and its counter may have grown.
    guard
      let index = document.keys.firstIndex(where: { sameIdentifier($0.keyID, consent.key.keyID) })
    else { throw failure(.keyDisappearedPermanently, "the key has been deleted") }
    let signer = try document.keys[index].signer(for: user, consent.token)
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
          finalChallengeHash: try FinalChallenge.hash(consent.challenge.encoded),
          transactionHash: try consent.request.transaction?.hash, keyID: key.keyIDBytes,
          signCounter: key.signCounter)
        let assertion = AuthenticationAssertion(
          data, signature: try key.encoding.sign(try data.element().encoded, with: signer))
        return UAFResponse(
          header: consent.request.header, finalChallenge: consent.challenge.encoded,
          assertions: [try assertion.encoded()]
        ).encoded
      }
    }
    return AuthenticatorResponse(message: message, key: key)
  }
}
