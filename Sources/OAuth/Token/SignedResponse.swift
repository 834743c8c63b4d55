import HTTP
import JOSE

/// A token that a server has signed for a client: an ID token, or a response as a token.
struct SignedResponse: Sendable {
  /// The token, not to be trusted before it is verified.
  let token: JWT
  /// What the token is, in messages.
  private let noun: String

  /// Reads a token.
  ///
  /// - Throws: ``OAuthError`` `untrusted` if the text is not a signed token.
  init(_ text: String, _ noun: String) throws(OAuthError) {
    self.noun = noun
    do {
      token = try JWT(text)
    } catch {
      throw .untrusted(noun, error.message)
    }
  }

  /// Verifies the claims, and then the signature: without the right claims no keys are requested.
  ///
  /// - Parameters:
  ///   - expectations: what is required of the claims.
  ///   - allowed: the algorithms that may have signed it.
  ///   - keys: finds the published keys of the server.
  /// - Throws: ``OAuthError`` `untrusted` with the first check that fails.
  func verify(
    _ expectations: TokenExpectations, allowed: Set<JWSAlgorithm>,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) {
    do {
      try expectations.require(token)
    } catch {
      throw .untrusted(noun, error.message)
    }
    try await keys().verify(token.jws, allowed: allowed, noun: noun)
  }
}

extension OAuthError {
  /// The error for a token or response that must not be trusted.
  static func untrusted(_ noun: String, _ cause: String) -> OAuthError {
    OAuthError(.untrusted, "\(noun) must not be trusted: \(cause)")
  }
}

extension HTTPResponse {
  /// The body as the text of a token, without line breaks and spaces.
  var tokenText: String { String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace } }
}
