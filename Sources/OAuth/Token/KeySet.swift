package import HTTP
package import JOSE
import JSON

/// The published keys of a server (RFC 7517 section 5).
package struct KeySet: Sendable {
  package let url: HTTPURL
  package let exchange: Exchange

  package init(url: HTTPURL, exchange: Exchange) {
    self.url = url
    self.exchange = exchange
  }

  /// Verifies a signature with whichever published key fits it.
  ///
  /// Without `kid` every fitting key is tried.
  ///
  /// - Throws: ``OAuthError`` `untrusted` when none verifies it.
  package func verify(_ signed: JWS, allowed: Set<JWSAlgorithm>) async throws(OAuthError) {
    guard let algorithm = signed.algorithm, allowed.contains(algorithm) else {
      throw OAuthError(.untrusted, "the ID token is signed with an algorithm that is not allowed")
    }
    let candidates = try await keys().candidates(kid: signed.keyID, algorithm: algorithm)
    guard !candidates.isEmpty else {
      throw OAuthError(.untrusted, "no published key of \(url.host) fits the ID token")
    }
    for key in candidates.prefix(Self.attempts)
    where (try? signed.verify(with: key, allowed: allowed)) != nil {
      return
    }
    throw OAuthError(.untrusted, "the signature of the ID token is wrong")
  }

  private func keys() async throws(OAuthError) -> JWKSet {
    let document = try await exchange.object(HTTPRequest(.get, url))
    do {
      return try JWKSet(json: .object(document))
    } catch {
      throw OAuthError(.malformed, "the keys of \(url.host) are unusable: \(error.message)")
    }
  }

  /// A bound on work that a server with thousands of keys could ask for.
  private static let attempts = 32
}
