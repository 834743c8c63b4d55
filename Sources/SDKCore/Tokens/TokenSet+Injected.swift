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
