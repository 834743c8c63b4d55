import HTTP
import OAuth
import Primitives

/// What requests carry: an access token, with a proof of its key if it has one (RFC 9449), or cookies.
struct Credential: Sendable {
  private let provider: AuthorizationProvider
  /// What proves the key that the token is bound to; `nil` for anything else.
  let dpop: DPoP?
  private let now: @Sendable () -> Timestamp

  init(_ provider: AuthorizationProvider, dpop: DPoP?, now: @escaping @Sendable () -> Timestamp) {
    self.provider = provider
    self.dpop = dpop
    self.now = now
  }

  /// Adds the token and a fresh proof if it needs one, or the cookies that are for the URL.
  func authorize(_ request: inout HTTPRequest) throws(TransportError) {
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
  /// The field by which a request carries the access token.
  var authorization: HTTPField {
    HTTPField(known: "Authorization", "\(isBound ? DPoP.tokenType : "Bearer") \(accessToken)")
  }
}
