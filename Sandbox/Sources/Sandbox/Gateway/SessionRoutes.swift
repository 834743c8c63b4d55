import HTTPTypes
import Hummingbird

/// Resources that want a session cookie or a JWT, and where to get them.
///
/// Both answer 401 first, so that a client can show that it authenticates and tries again.
extension Routes {
  func addSessionResources() {
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
          .with(.setCookie, "gateway-route=a; Path=/; Secure; HttpOnly")
    }
    get("/resources/cookie-protected", .resources) { exchange in
      let session = exchange.sandbox.change { world in
        world.gatewayCookies[exchange.cookie(gatewayCookie) ?? ""]
      }
      guard let session, session.end > exchange.now else {
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
      return .json(["sub": .string(try subject(ofJWT: text, exchange))])
    }
  }
}

private let gatewayCookie = "gateway-session"

/// Opens a session, and returns the field that sets its cookie.
///
/// The cookie does not tell its end: a client learns it by a 401.
func sessionCookie(for user: Users.User, _ exchange: Exchange) -> String {
  let value = Secret.make()
  let end = exchange.now + exchange.sandbox.settings.accessTokenLifetime
  exchange.sandbox.change { world in
    if world.gatewayCookies.count > 10_000 { world.gatewayCookies = [:] }
    world.gatewayCookies[value] = (user.subject, end)
  }
  return "\(gatewayCookie)=\(value); Path=/resources; Secure; HttpOnly"
}

func gatewayJWT(for user: Users.User, _ exchange: Exchange) throws -> String {
  let key = exchange.sandbox.change { $0.keys.current[.es256] }
  guard let key else { throw OAuthError("server_error", "there is no key", status: 500) }
  let lifetime = exchange.sandbox.settings.accessTokenLifetime
  return try JWT.make(
    [
      "iss": .string(exchange.sandbox.issuer), "aud": .string(exchange.sandbox.resourceURL),
      "sub": .string(user.subject), "iat": .int(exchange.now),
      "exp": .int(exchange.now + lifetime),
    ], type: "JWT", key: key)
}

/// The person a JWT stands for, by its signature and claims alone.
private func subject(ofJWT text: String, _ exchange: Exchange) throws(OAuthError) -> String {
  let sandbox = exchange.sandbox
  guard let token = JWT(text), sandbox.change({ $0.keys.verifies(token) }),
    token.claims["iss"]?.string == sandbox.issuer,
    token.audiences.contains(sandbox.resourceURL),
    let expiry = token.claims["exp"]?.int, expiry > exchange.now,
    let subject = token.claims["sub"]?.string
  else { throw .invalidToken("the JWT is not good") }
  return subject
}
