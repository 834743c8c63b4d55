import HTTP
import OAuth

/// An access token as requests carry it: by itself, or with a proof of its key (RFC 9449).
struct Credential: Sendable {
  private let tokens: TokenSet
  /// What proves the key that the token is bound to; `nil` for a bearer token.
  let dpop: DPoP?

  init(_ tokens: TokenSet, dpop: DPoP?) {
    self.tokens = tokens
    self.dpop = dpop
  }

  /// Adds the token, and a fresh proof if it needs one.
  func authorize(_ request: inout HTTPRequest) throws(TransportError) {
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
  /// The field by which a request carries the access token.
  var authorization: HTTPField {
    HTTPField(known: "Authorization", "\(isBound ? DPoP.tokenType : "Bearer") \(accessToken)")
  }
}
