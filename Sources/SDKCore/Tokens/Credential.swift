package import HTTP
package import OAuth
package import Primitives

/// The credential of a request: cookies, or an access token, with a proof if it is bound to a key
/// (RFC 9449).
package struct Credential: Sendable {
  private let provider: AuthorizationProvider
  /// Makes the proofs of a token that is bound to a key; `nil` for other credentials.
  let dpop: DPoP?
  private let now: @Sendable () -> Timestamp

  package init(
    _ provider: AuthorizationProvider, dpop: DPoP?, now: @escaping @Sendable () -> Timestamp
  ) {
    self.provider = provider
    self.dpop = dpop
    self.now = now
  }

  /// Adds the token, with a new proof if it is bound to a key, or the cookies that match the URL.
  package func authorize(_ request: inout HTTPRequest) throws(TransportError) {
    guard let tokens = provider.tokens else {
      if case .cookies(let session) = provider,
        let value = session.header(for: request.url, at: now())
      {
        request.fields.replace(with: HTTPField(known: "Cookie", value))
      }
      return
    }
    request.fields.append(tokens.authorization)
    guard let dpop else { return }
    do {
      try dpop.prove(&request, accessToken: tokens.accessToken)
    } catch {
      throw TransportError(.unavailable, error.message, host: request.url.host)
    }
  }
}

extension TokenSet {
  var authorization: HTTPField {
    HTTPField(known: "Authorization", "\(isBound ? DPoP.tokenType : "Bearer") \(accessToken)")
  }
}
