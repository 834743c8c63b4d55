import JSON

/// Who calls the gateway, and whether this path is for them: by introspection, as the vendor's
/// example gateway does it, with its exact answers.
struct GatewayCaller {
  let subject: String
  let clientID: String
  let description: JSON

  enum Kind {
    /// A token that a person or a client obtained itself.
    case regular
    /// A token that was had without the person.
    case implicit
  }

  /// A refusal that is ready to send.
  struct Refused: Error {
    let answer: Response
  }

  /// Admits the bearer of an active token of the right kind and scope.
  init(_ exchange: Exchange, scope: String?, kind: Kind = .regular) throws {
    let (token, isBound) = try Self.token(of: exchange)
    guard let description = Self.introspect(token, exchange) else {
      throw Self.invalidToken("The token server gave no answer.")
    }
    guard description["active"]?.bool == true, description["token_type"] != "refresh_token" else {
      throw Self.invalidToken("The access token is not active.")
    }
    try Self.checkBinding(description, token, isBound, exchange)
    let isImplicit = description["amr"]?.strings?.contains("IMPLICIT_AUTHENTICATION") ?? false
    guard isImplicit == (kind == .implicit) else {
      throw Self.invalidToken(
        isImplicit
          ? "An implicit access token is not accepted here."
          : "Only an implicit access token is accepted here.")
    }
    if let scope {
      guard Scope.split(description["scope"]?.string).contains(scope) else {
        throw Refused(
          answer: .json(
            [
              "error": "insufficient_scope",
              "error_description": .string("The access token lacks the scope \(scope)."),
            ], status: .forbidden))
      }
    }
    self.description = description
    subject = description["sub"]?.string ?? ""
    clientID = description["client_id"]?.string ?? ""
  }

  /// What the token server says, or nothing when a fault of its introspection strikes.
  private static func introspect(_ token: String, _ exchange: Exchange) -> JSON? {
    let fault = exchange.sandbox.change { world in
      guard let fault = world.faults.take(.answer, at: .introspect, onlyItsOwn: true) else {
        return Fault?.none
      }
      world.counters.count(fault: fault)
      return fault
    }
    guard fault == nil else { return nil }
    return exchange.sandbox.introspect(token)
  }

  /// The token after exactly `Bearer ` with its space.
  ///
  /// The scheme is recognised in any case, but only the exact prefix is taken off: what is then
  /// left is no token.
  private static func token(of exchange: Exchange) throws -> (String, isBound: Bool) {
    if let bound = exchange.authorization("DPoP") { return (bound, true) }
    let value = exchange.request.headers[.authorization] ?? ""
    guard value.lowercased().hasPrefix("bearer ") else { throw unauthenticated }
    let token = value.hasPrefix("Bearer ") ? String(value.dropFirst(7)) : value
    return (token, false)
  }

  private static func checkBinding(
    _ description: JSON, _ token: String, _ isBound: Bool, _ exchange: Exchange
  ) throws {
    let certificate = description["cnf"]?["x5t#S256"]?.string
    guard certificate == nil || certificate == exchange.connection.certificate?.thumbprint else {
      throw invalidToken("The access token is bound to another certificate.")
    }
    let expected = description["cnf"]?["jkt"]?.string
    guard isBound else {
      if expected != nil { throw invalidToken("The access token needs a proof of possession.") }
      return
    }
    let made = try ProofOfPossession(exchange: exchange).thumbprint(accessToken: token)
    guard let made, made == expected else {
      throw invalidToken("The proof is not by the key of the access token.")
    }
  }

  private static var unauthenticated: Refused {
    Refused(
      answer: Response(
        status: .unauthorized,
        headers: [.wwwAuthenticate: "Bearer realm=\"Example resource gateway\""]))
  }

  private static func invalidToken(_ message: String) -> Refused {
    let body: JSON = ["error": "invalid_token", "error_description": .string(message)]
    return Refused(
      answer: Response.json(body, status: .unauthorized).with(
        .wwwAuthenticate, "Bearer error=\"invalid_token\", error_description=\"\(message)\""))
  }
}
