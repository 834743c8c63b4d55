import JSON

/// Resources that want a session cookie or a JWT, and where to get them.
///
/// Both answer 401 first, so that a client can show that it authenticates and tries again.
extension Routes {
  mutating func addSessionResources() {
    post("/authenticate", .resources) { exchange in
      let form = try await exchange.form()
      let user = exchange.sandbox.change { world in
        world.users.signIn(form["username"] ?? "", form["password"] ?? "")
      }
      guard let user else {
        throw OAuthError("authentication_failed", "user name and password do not fit", status: 401)
      }
      return form["want"] == "jwt"
        ? .json(["jwt": .string(try gatewayJWT(for: user, exchange))])
        : Response.json(["sub": .string(user.subject)])
          .with(.setCookie, sessionCookie(for: user, exchange))
          .with(.setCookie, routeCookie)
    }
    get("/resources/cookie-protected", .resources) { exchange in
      let cookie = exchange.cookie(gatewayCookie)
      let session = exchange.sandbox.change {
        $0.gatewaySessions.session(cookie, now: exchange.now)
      }
      guard let session else {
        throw OAuthError(
          "session_required", "the session cookie is missing or has expired", status: 401)
      }
      // A client that takes this cookie loses its session (DESIGN: cookies are never changed so).
      return Response.json(["sub": .string(session.subject)])
        .with(.setCookie, "\(gatewayCookie)=spoilt; Path=/resources; Secure; HttpOnly")
    }
    get("/resources/jwt-protected", .resources) { exchange in
      guard let text = exchange.authorization("Bearer") else {
        throw OAuthError(
          "jwt_required", "the JWT is missing", status: 401,
          challenge: "Bearer realm=\"Example resource gateway\"")
      }
      return .json(["sub": .string(try jwtSession(text, exchange).subject)])
    }
  }
}

private let gatewayCookie = "gateway-session"

/// The second cookie of a session, by which a client shows that it keeps all.
let routeCookie = "gateway-route=a; Path=/; Secure; HttpOnly"

/// Opens a session, and returns the field that sets its cookie.
///
/// The cookie does not tell its end: a client learns it by a 401.
func sessionCookie(
  for user: Users.User, _ exchange: Exchange, path: String = "/resources", usedFIDO: Bool = false
) -> String {
  let session = GatewaySessions.Session(
    subject: user.subject, end: exchange.now + exchange.sandbox.settings.accessTokenLifetime,
    usedFIDO: usedFIDO)
  let value = exchange.sandbox.change { $0.gatewaySessions.open(session) }
  return "\(gatewayCookie)=\(value); Path=\(path); Secure; HttpOnly"
}

func gatewayJWT(
  for user: Users.User, _ exchange: Exchange, usedFIDO: Bool = false
) throws -> String {
  let (key, generation) = exchange.sandbox.change {
    ($0.keys.current[.es256], $0.gatewaySessions.generation)
  }
  guard let key else { throw OAuthError("server_error", "there is no key", status: 500) }
  let lifetime = exchange.sandbox.settings.accessTokenLifetime
  return try JWT.make(
    [
      "iss": .string(exchange.sandbox.issuer), "aud": .string(exchange.sandbox.resourceURL),
      "sub": .string(user.subject), "iat": .int(exchange.now),
      "exp": .int(exchange.now + lifetime), "amr": [usedFIDO ? "fido" : "pwd"],
      "generation": .int(generation), "jti": .string(Secret.name("jwt-")),
    ], type: "JWT", key: key)
}

/// The session that a JWT stands for, by its signature and claims alone.
private func jwtSession(
  _ text: String, _ exchange: Exchange
) throws(OAuthError) -> GatewaySessions.Session {
  let session = exchange.sandbox.change { world -> GatewaySessions.Session? in
    guard let token = JWT(text), world.keys.verifies(token) else { return nil }
    return world.gatewaySessions.session(of: token.claims, now: exchange.now)
  }
  guard let session else { throw .invalidToken("the JWT is not good") }
  return session
}

extension Exchange {
  /// The session of the cookie or the JWT of a request, if there is a good one.
  var gatewaySession: GatewaySessions.Session? {
    let cookie = cookie(gatewayCookie)
    if let session = sandbox.change({ $0.gatewaySessions.session(cookie, now: now) }) {
      return session
    }
    return authorization("Bearer").flatMap { try? jwtSession($0, self) }
  }
}
