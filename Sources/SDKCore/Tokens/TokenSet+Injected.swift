import JOSE
import Primitives

extension TokenSet {
  /// A token from outside the store; if it is a JWT, its claims are its expiry and its scope.
  init(injected token: String, at now: Timestamp) {
    let jwt = try? JWT(token)
    let scope = jwt?.body.scope ?? []
    self.init(
      accessToken: token, expires: jwt?.expiration,
      scope: scope.isEmpty ? nil : scope.joined(separator: " "), refreshToken: nil, idToken: nil,
      obtained: now)
  }
}

/// An access token from outside the store.
struct InjectedToken: Sendable {
  let tokens: TokenSet
  /// Where it comes from, for errors.
  let source: String

  init(_ text: String, from source: String?, at now: Timestamp) {
    tokens = TokenSet(injected: text, at: now)
    self.source = source ?? "the environment"
  }
}
