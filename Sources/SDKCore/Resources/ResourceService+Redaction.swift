public import HTTP
import OAuth

extension ResourceService {
  /// A text of the server without the secrets that a request carried: the credential of its slot, and
  /// what is a secret of the profile's trace.
  ///
  /// A program calls it before it shows or logs the body of an error: some servers repeat what was sent.
  public func redacted(
    _ text: String, of request: ResourceRequest, as access: Access
  ) async -> String {
    let secrets = TraceSecrets(names: profile.secretNames)
    let exchange = ExchangeText(secrets: secrets)
    if let sent = try? request.http(relativeTo: profile.resourceURL, domain: access.domain) {
      _ = exchange.url(sent.url)
      let body = if case .bytes(let bytes) = sent.body { bytes } else { [UInt8]() }
      _ = exchange.lines(sent.fields, TracedBody(body))
    }
    guard let slot = access.slot, let provider = try? await tokens.slots.provider(in: slot) else {
      return secrets.redacted(text)
    }
    switch provider {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens):
      secrets.learn(tokens.accessToken)
    case .cookies(let session):
      for cookie in session.cookies { secrets.learn(cookie.value) }
    }
    return secrets.redacted(text)
  }

  /// A URL as text, without the secrets of its query.
  public func shown(_ url: HTTPURL) -> String {
    ExchangeText(secrets: TraceSecrets(names: profile.secretNames)).url(url)
  }
}
