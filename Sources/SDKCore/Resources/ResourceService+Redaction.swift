import HTTP
import OAuth

extension ResourceService {
  /// A text of the server without the secrets that a request carried: the credential of its slot, and
  /// header fields that are secrets by their names.
  package func redacted(
    _ text: String, of request: ResourceRequest, as access: Access
  ) -> String {
    let names = TraceSecrets()
    let secrets = TraceSecrets()
    for field in request.headers where names.isSecret(field: field.name) {
      secrets.learn(field.value)
    }
    switch access.slot.flatMap({ try? tokens.slots.provider(in: $0) }) {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens):
      secrets.learn(tokens.accessToken)
    case .cookies(let session):
      for cookie in session.cookies { secrets.learn(cookie.value) }
    case nil: break
    }
    return secrets.redacted(text)
  }
}
