import JSON
import Primitives

/// How a client shows who it is at the token endpoint and its neighbours.
struct ClientAuthentication {
  let exchange: Exchange
  let form: Form

  /// The client of this request, by the one method it registered.
  func client() async throws(OAuthError) -> Client {
    let basic = exchange.authorization("Basic")
    let ways = [basic, form["client_assertion"], form["client_secret"]]
    guard ways.count(where: { $0 != nil }) <= 1 else {
      throw .invalidRequest("the client authenticated in two ways")
    }
    if let basic { return try basicClient(basic) }
    if form["client_assertion"] != nil { return try assertedClient() }
    guard let id = form["client_id"] else {
      throw .invalidClient("the client is not authenticated")
    }
    let client = try registered(id)
    if let secret = form["client_secret"] {
      return try check(client, secret: secret, method: "client_secret_post")
    }
    if CertificateAuthentication.methods.contains(client.authMethod) {
      try await CertificateAuthentication(exchange: exchange, client: client).check()
      return client
    }
    guard client.isPublic else { throw .invalidClient("the client must authenticate") }
    return client
  }

  private func basicClient(_ credential: String) throws(OAuthError) -> Client {
    guard let bytes = Base64.decode(credential) else {
      throw .invalidClient("the Basic credential is not base64")
    }
    let isRaw = exchange.takeFault(.basicCredential) != nil
    let halves = String(decoding: bytes, as: UTF8.self)
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { isRaw ? String($0) : PercentCoding.decode($0, plusIsSpace: true) }
    guard halves.count == 2 else { throw .invalidClient("the Basic credential has no colon") }
    if let named = form["client_id"], named != halves[0] {
      throw .invalidClient("client_id is not the client that authenticated")
    }
    return try check(
      try registered(halves[0]), secret: halves[1], method: "client_secret_basic")
  }

  private func check(
    _ client: Client, secret: String, method: String
  ) throws(OAuthError)
    -> Client
  {
    guard client.authMethod == method else {
      throw .invalidClient("the client registered another authentication method")
    }
    guard let expected = client.secret, Secret.same(expected, secret) else {
      throw .invalidClient("the client secret is wrong")
    }
    return client
  }

  /// A client that signs an assertion (RFC 7523 section 3).
  private func assertedClient() throws(OAuthError) -> Client {
    guard
      form["client_assertion_type"]
        == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      let assertion = form["client_assertion"].flatMap(JWT.init)
    else { throw .invalidClient("the client assertion is not a JWT") }
    let claims = assertion.claims
    guard let id = claims["sub"]?.string, claims["iss"]?.string == id,
      form["client_id"] ?? id == id
    else { throw .invalidClient("iss and sub of the assertion must be the client") }
    let client = try registered(id)
    let isSigned =
      switch client.authMethod {
      case "private_key_jwt": client.keys.contains(where: assertion.isSigned)
      case "client_secret_jwt": client.secret.map(assertion.isSigned(bySecret:)) ?? false
      default: false
      }
    guard isSigned else { throw .invalidClient("the signature of the assertion is not good") }
    try Assertion(token: assertion, exchange: exchange, refusal: OAuthError.invalidClient)
      .checkUse(by: id)
    return client
  }

  private func registered(_ id: String) throws(OAuthError) -> Client {
    guard let client = exchange.sandbox.change({ $0.clients[id] }) else {
      throw .invalidClient("the client is not registered")
    }
    return client
  }
}
