/// Who calls an operation that needs a login, and how they logged in.
struct FIDOCaller: Sendable {
  let user: Users.User
  /// Whether they authenticated with FIDO UAF, and not otherwise.
  let usedFIDO: Bool

  /// The person behind the cookie or the JWT of a login, or behind an access token.
  static func find(_ exchange: Exchange) -> FIDOCaller? {
    if let session = exchange.gatewaySession {
      return exchange.sandbox.change { $0.users.subject(session.subject) }
        .map { FIDOCaller(user: $0, usedFIDO: session.usedFIDO) }
    }
    guard let caller = try? GatewayCaller(exchange, scope: nil) else { return nil }
    return exchange.sandbox.change { $0.users.subject(caller.subject) }
      .map { FIDOCaller(user: $0, usedFIDO: false) }
  }

  /// The caller, who must have logged in, and with FIDO UAF if that is required (401).
  static func require(_ exchange: Exchange, usedFIDO: Bool = false) throws(OAuthError) -> FIDOCaller
  {
    guard let caller = find(exchange), caller.usedFIDO || !usedFIDO else {
      throw OAuthError(
        "unauthorized",
        usedFIDO ? "this needs an authentication with FIDO UAF" : "this needs a login", status: 401)
    }
    return caller
  }
}

extension World {
  /// A person by the identifier that a login returns, or by the name.
  func person(_ text: String) -> Users.User? { users.subject(text) ?? users.named(text) }
}
