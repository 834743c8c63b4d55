import HTTP
import OAuth

// What a login needs of the servers before a person is asked for anything, and leaves at them if it fails.
extension LoginService {
  /// Refuses a login if servers that it will contact have no pins; makes no connection.
  ///
  /// Other hosts of the metadata without pins are told.
  func requirePins(
    for endpoints: [ServerMetadata.Endpoint], at server: ServerMetadata
  ) throws(SDKError) {
    func urls(_ endpoints: [ServerMetadata.Endpoint]) -> [HTTPURL] {
      endpoints.compactMap { (try? server.url(of: $0)) ?? nil }
    }
    let later = try environment.requirePins(
      of: urls(endpoints),
      besides: urls(
        [.authorization, .token, .keys, .userinfo, .revocation, .introspection]))
    if !later.isEmpty { tokens.slots.notice?(.unpinned(later)) }
  }

  /// Makes a login of a token response; if that fails, the tokens are revoked, because nobody will use them.
  ///
  /// - Throws: the error of `body`; if the grant may remain at the server, it says so.
  func using<Value>(
    _ response: TokenResponse, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    do throws(SDKError) {
      return try await body()
    } catch {
      let flow = LogoutFlow(tokens: tokens)
      if await flow.revokes(response) { throw error }
      throw error.adding(
        "the server has issued tokens, which could not be revoked: their grant remains")
    }
  }
}

extension LogoutFlow {
  /// Whether the tokens of a response, which nobody will use, were revoked; the refresh token ends the grant.
  fileprivate func revokes(_ response: TokenResponse) async -> Bool {
    guard let revocation = try? await revocation(of: nil) else { return false }
    do {
      if let token = response.refreshToken {
        try await revocation.revoke(token, hint: .refresh)
      } else {
        try await revocation.revoke(response.accessToken, hint: .access)
      }
      return true
    } catch {
      return false
    }
  }
}
