import JSON

/// A resource that wants a second factor not long ago (RFC 9470).
extension Routes {
  mutating func addStepUp() {
    get("/resources/step-up", .resources) { exchange in
      let caller: GatewayCaller
      do { caller = try GatewayCaller(exchange, scope: nil) } catch let refused
        as GatewayCaller.Refused
      { return refused.answer }
      return try StepUp(exchange).answer(to: caller)
    }
  }
}

/// What the resource wants, and what a token has of it.
private struct StepUp {
  let exchange: Exchange
  let maxAge: Int
  let level: AuthenticationLevel

  /// By the query, a test can want another age or level.
  init(_ exchange: Exchange) throws(OAuthError) {
    self.exchange = exchange
    guard let age = Int(exchange.query["max_age"] ?? "300"), age >= 0,
      let level = AuthenticationLevel(
        named: exchange.query["acr"] ?? AuthenticationLevel.secondFactor.rawValue)
    else { throw .invalidRequest("max_age takes seconds, acr a level that discovery names") }
    maxAge = age
    self.level = level
  }

  func answer(to caller: GatewayCaller) throws(OAuthError) -> Response {
    let reached = caller.description["acr"]?.string.flatMap(AuthenticationLevel.init(named:))
    guard let reached, reached >= level else {
      throw refusal("a stronger authentication is needed")
    }
    guard let moment = caller.description["auth_time"]?.integer, exchange.now - moment <= maxAge
    else { throw refusal("a more recent authentication is needed") }
    return .json([
      "sub": .string(caller.subject), "acr": .string(reached.rawValue), "auth_time": .int(moment),
    ])
  }

  private func refusal(_ message: String) -> OAuthError {
    let scheme = exchange.authorization("DPoP") == nil ? "Bearer" : "DPoP"
    return OAuthError(
      "insufficient_user_authentication", message, status: 401,
      challenge: "\(scheme) error=\"insufficient_user_authentication\", "
        + "error_description=\"\(message)\", acr_values=\"\(level.rawValue)\", "
        + "max_age=\"\(maxAge)\"")
  }
}
