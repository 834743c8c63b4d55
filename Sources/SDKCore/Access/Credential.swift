import HTTP
import OAuth

/// An access token as requests carry it: by itself, or with a proof of its key (RFC 9449).
struct Credential: Sendable {
  let token: String
  /// What proves the key that the token is bound to; `nil` for a bearer token.
  let dpop: DPoP?

  init(_ tokens: TokenSet, dpop: DPoP?) {
    token = tokens.accessToken
    self.dpop = dpop
  }

  /// Adds the token, and a fresh proof if it needs one.
  func authorize(_ request: inout HTTPRequest) throws(TransportError) {
    let scheme = dpop == nil ? "Bearer" : DPoP.tokenType
    request.fields.append(HTTPField(known: "Authorization", "\(scheme) \(token)"))
    guard let dpop else { return }
    do {
      try dpop.prove(&request, accessToken: token)
    } catch {
      throw TransportError(.unavailable, error.message, host: request.url.host)
    }
  }
}
