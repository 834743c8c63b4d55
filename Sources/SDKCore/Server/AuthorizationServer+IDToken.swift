import HTTP
import JSON
import OAuth
import Primitives

extension AuthorizationServer {
  /// The subject of the ID token of a response, checked; `nil` without ID token.
  func subject(
    of response: TokenResponse, from server: ServerMetadata, clientID: String, nonce: String?,
    code: String? = nil, parameters: FormParameters = [:]
  ) async throws(OAuthError) -> String? {
    guard let idToken = response.idToken else { return nil }
    let check = IDTokenCheck(
      server: server, clientID: clientID, nonce: nonce, accessToken: response.accessToken,
      code: code, parameters: parameters)
    return try await subject(of: idToken, check, at: now())
  }

  /// The subject of an ID token that came with an access token of another program.
  func subject(
    ofIDToken idToken: String, and accessToken: String?, from server: ServerMetadata,
    clientID: String, at time: Timestamp?
  ) async throws(OAuthError) -> String {
    let check = IDTokenCheck(
      server: server, clientID: clientID, nonce: nil, accessToken: accessToken)
    return try await subject(of: idToken, check, at: time ?? now())
  }

  private func subject(
    of idToken: String, _ check: IDTokenCheck, at time: Timestamp
  ) async throws(OAuthError) -> String {
    var check = check
    if let encryption = (try? await records.current())?.encryption {
      check.signatures = encryption.signatures(of: .idToken, from: check.server)
    }
    let server = check.server
    return try await check.subject(of: try await decrypted(idToken), at: time) {
      () throws(OAuthError) in
      try keys(of: server)
    }
  }

  /// The same response with its ID token decrypted, as it is stored.
  func decrypted(_ response: TokenResponse) async -> TokenResponse {
    var response = response
    if let idToken = response.idToken { response.idToken = try? await decrypted(idToken) }
    return response
  }

  func decrypted(_ idToken: String) async throws(OAuthError) -> String {
    let encryption = (try? await records.current())?.encryption
    return try (encryption ?? ResponseEncryption(key: nil, client: [:])).decrypted(
      idToken, .idToken)
  }

  /// Refuses the ID token of a refresh when it is not of the one that the slot holds.
  ///
  /// One that cannot be decrypted is ignored: the other tokens of the response stay usable.
  func requireSameUser(
    _ response: TokenResponse, as idToken: String?
  ) async throws(SDKError) {
    guard let new = await decrypted(response).idToken, let old = idToken else { return }
    try attempt { try IDTokenCheck.requireSame(new, as: old) }
  }

  /// Whether the keys of a server for ID tokens are at hand, so that a check most likely takes no network.
  func hasKeys(of server: ServerMetadata?) -> Bool {
    guard let url = try? server?.url(of: .keys), let keys = cache.value(of: url.description) else {
      return false
    }
    return keys.expires > now()
  }

  /// The verified ID token of a refresh; `nil` if there is none or it does not verify.
  ///
  /// One that does not verify is dropped alone: the response came over TLS, and the other tokens are stored already.
  func verifiedIDToken(
    of response: TokenResponse, from known: ServerMetadata?
  ) async -> String? {
    guard response.idToken != nil else { return nil }
    var server = known
    if server == nil { server = try? await metadata() }
    guard let server, let clientID = try? await records.current()?.clientID,
      (try? await subject(of: response, from: server, clientID: clientID, nonce: nil)) != nil
    else {
      environment.clock.server.tellOnce()
      return nil
    }
    return await decrypted(response).idToken
  }
}
