import JSON

/// An authorization request that passed every check (RFC 6749 section 4.1.1, RFC 7636).
struct AuthorizationRequest: Sendable {
  let clientID: String
  let redirectURI: String
  let redirectWasSent: Bool
  let responseMode: String
  let state: String?
  let scopes: [String]
  let challenge: String
  let nonce: String?
  let prompts: Set<String>
  let maxAge: Int?
  let levels: [String]
  /// The name that the sign-in page shows at first.
  var loginHint: String?
  /// The person that `id_token_hint` stands for.
  let hintedSubject: String?
  let keyThumbprint: String?

  /// An error that may be told to the client at its redirect URI.
  struct Refusal: Error, Sendable {
    let error: OAuthError
    let redirectURI: String
    let responseMode: String
    let state: String?
  }

  /// Reads a request of a client; `isOurs` tells an ID token of this server from any other, and
  /// `grantsDefault` whether a request without a scope gets one.
  ///
  /// - Throws: `OAuthError` while the redirect URI is not established: it goes to the person.
  ///   `Refusal` afterwards: it goes to the client.
  init(
    _ form: Form, of client: Client, isOurs: (JWT) -> Bool, grantsDefault: () -> Bool
  ) throws {
    guard form.repeated() == nil else {
      throw OAuthError.invalidRequest("a parameter appears more than once")
    }
    guard let address = client.redirectURI(for: form["redirect_uri"]) else {
      throw OAuthError.invalidRequest("redirect_uri is not registered for this client")
    }
    let mode = form["response_mode"] ?? "query"
    let state = form["state"]
    do throws(OAuthError) {
      guard ["query", "form_post"].contains(mode) else {
        throw .invalidRequest("response_mode must be query or form_post")
      }
      clientID = client.id
      redirectURI = address
      redirectWasSent = form["redirect_uri"] != nil
      responseMode = mode
      self.state = state
      nonce = form["nonce"]
      loginHint = form["login_hint"].map { String($0.prefix(64)) }
      hintedSubject = try Self.hintedSubject(of: form, isOurs)
      keyThumbprint = form["dpop_jkt"]
      levels = Scope.split(form["acr_values"])
      try Self.checkSupport(of: form, client)
      scopes = try Scope.asked(form["scope"], by: client, grantsDefault: grantsDefault)
      challenge = try Self.challenge(of: form)
      prompts = try Self.prompts(of: form)
      maxAge = try Self.maxAge(of: form)
    } catch {
      throw Refusal(
        error: error, redirectURI: address, responseMode: mode == "form_post" ? mode : "query",
        state: state)
    }
  }

  var needsSecondFactor: Bool {
    levels.compactMap(AuthenticationLevel.init(named:)).first == .secondFactor
  }

  /// An ID token that has expired still names its person.
  private static func hintedSubject(
    of form: Form, _ isOurs: (JWT) -> Bool
  ) throws(OAuthError) -> String? {
    guard let text = form["id_token_hint"] else { return nil }
    guard let token = JWT(text), isOurs(token), let subject = token.claims["sub"]?.string else {
      throw .invalidRequest("id_token_hint is no ID token of this server")
    }
    return subject
  }

  private static func checkSupport(of form: Form, _ client: Client) throws(OAuthError) {
    guard form["request"] == nil else {
      throw OAuthError("request_not_supported", "request objects are not supported")
    }
    guard let type = form["response_type"] else {
      throw .invalidRequest("response_type is missing")
    }
    guard type == "code" else {
      throw OAuthError("unsupported_response_type", "only response_type code is supported")
    }
    guard client.allows(.authorizationCode) else {
      throw OAuthError("unauthorized_client", "the client did not register this grant")
    }
  }

  private static func challenge(of form: Form) throws(OAuthError) -> String {
    guard let challenge = form["code_challenge"], form["code_challenge_method"] == "S256",
      PKCE.isChallenge(challenge)
    else { throw .invalidRequest("PKCE with S256 is required") }
    return challenge
  }

  private static func prompts(of form: Form) throws(OAuthError) -> Set<String> {
    let prompts = Set(Scope.split(form["prompt"]))
    guard prompts.isSubset(of: ["none", "login", "consent", "create", "select_account"]),
      !prompts.contains("none") || prompts.count == 1
    else { throw .invalidRequest("prompt has values that are unknown or contradict each other") }
    return prompts
  }

  private static func maxAge(of form: Form) throws(OAuthError) -> Int? {
    guard let text = form["max_age"] else { return nil }
    guard let seconds = Int(text), seconds >= 0 else {
      throw .invalidRequest("max_age must be a number of seconds")
    }
    return seconds
  }
}
