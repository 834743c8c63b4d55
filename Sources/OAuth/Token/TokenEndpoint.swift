package import HTTP
import JOSE
package import JSON
import OpenSSL
import Primitives

/// The token endpoint of a server, as one client uses it (RFC 6749 section 3.2).
package struct TokenEndpoint: Sendable {
  package let url: HTTPURL
  package let client: ClientAuthentication
  package var serverClient: ServerClient
  package var refreshURL: HTTPURL?
  /// What is added to each request, unless the request has a parameter of that name.
  package var additional: FormParameters = [:]

  package init(_ url: HTTPURL, client: ClientAuthentication, over serverClient: ServerClient) {
    self.url = url
    self.client = client
    self.serverClient = serverClient
  }

  /// Exchanges a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
  ///
  /// The token is for all resources of the authorization request (RFC 8707 section 2.2).
  package func exchange(
    code: String, of request: AuthorizationRequest
  ) async throws(OAuthError) -> TokenResponse {
    var parameters: FormParameters = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": request.redirectURI,
    ]
    parameters["code_verifier"] = request.pkce?.verifier
    parameters.append(resources: request.parameters.values(of: "resource"))
    return try await token(parameters)
  }

  /// Sends a refresh token (RFC 6749 section 6); the new access token may have less scope.
  ///
  /// Without the resources of the grant, some servers return a token for another resource than
  /// before (RFC 8707 section 2.2 lets the server choose).
  package func refresh(
    _ refreshToken: String, scope: String? = nil, resources: [String] = []
  ) async throws(OAuthError) -> TokenResponse {
    var parameters: FormParameters = ["grant_type": "refresh_token", "refresh_token": refreshToken]
    parameters["scope"] = scope
    parameters.append(resources: resources)
    return try await token(parameters, at: refreshURL)
  }

  /// Requests a token for the client itself (RFC 6749 section 4.4).
  ///
  /// Several servers take `audience`, the service that the token is for.
  package func clientCredentials(
    scope: String?, audience: String? = nil
  ) async throws(OAuthError) -> TokenResponse {
    var parameters: FormParameters = ["grant_type": "client_credentials"]
    parameters["audience"] = audience
    parameters["scope"] = scope
    return try await token(parameters)
  }

  /// Requests the token of a device login, if the user has agreed (RFC 8628 section 3.4).
  package func device(code: String) async throws(OAuthError) -> TokenResponse {
    try await token(["grant_type": Grant.deviceCode, "device_code": code])
  }

  /// Names of grants that are URNs.
  package enum Grant {
    static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    package static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    package static let assertion = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  }

  func token(
    _ parameters: FormParameters, at place: HTTPURL? = nil
  ) async throws(OAuthError) -> TokenResponse {
    let place = place ?? url
    var all = parameters
    for pair in additional where parameters[pair.name] == nil { all.append(pair.name, pair.value) }
    let sent = all
    // A second try needs a new assertion.
    return try await serverClient.proving(at: place) { () async throws(OAuthError) in
      let document = try await serverClient.object(sent, to: place, as: client)
      return try TokenResponse(document, provedBy: serverClient.dpop)
    }
  }
}

/// Grants by which a login needs no browser.
extension TokenEndpoint {
  /// Sends the name and password of a user (RFC 6749 section 4.3).
  package func password(
    of name: String, _ password: String, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    try await token(
      ["grant_type": "password", "username": name, "password": password], for: target)
  }

  /// Sends a signed assertion about a user (RFC 7523 section 2.1).
  package func assertion(
    _ assertion: String, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    try await token(["grant_type": Grant.assertion, "assertion": assertion], for: target)
  }

  /// Exchanges a token for one of this server (RFC 8693 section 2.1).
  ///
  /// A token of another server logs a user in; one of this server is narrowed.
  package func exchange(
    _ subject: SubjectToken, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    try await token(
      [
        "grant_type": Grant.tokenExchange, "subject_token": subject.text,
        "subject_token_type": subject.type.uri,
        "requested_token_type": SubjectToken.Kind.accessToken.uri,
      ], for: target)
  }

  private func token(
    _ parameters: FormParameters, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    var parameters = parameters
    parameters["scope"] = target.scope
    parameters.append(resources: target.resources)
    for audience in target.audiences { parameters.append("audience", audience) }
    return try await token(parameters)
  }
}

/// The scope and the resource servers that a token is requested for.
package struct TokenTarget: Sendable, Hashable {
  package var scope: String?
  /// Addresses of resource servers (RFC 8707).
  package var resources: [String]
  /// Names of resource servers, which only an exchange takes (RFC 8693 section 2.1).
  package var audiences: [String]

  package init(scope: String?, resources: [String] = [], audiences: [String] = []) {
    self.scope = scope
    self.resources = resources
    self.audiences = audiences
  }
}

/// A token that stands for a person at another server.
public struct SubjectToken: Sendable, Hashable {
  /// The types of RFC 8693 section 3 that stand for a person.
  public enum Kind: String, Sendable, CaseIterable {
    /// An access token.
    case accessToken = "access_token"
    /// An ID token of OpenID Connect.
    case idToken = "id_token"
    /// Another JWT.
    case jwt

    var uri: String { "urn:ietf:params:oauth:token-type:\(rawValue)" }
  }

  /// The token.
  public let text: String
  /// Its type.
  public let type: Kind

  /// Makes a subject token.
  public init(_ text: String, type: Kind) {
    self.text = text
    self.type = type
  }
}

extension FormParameters {
  mutating func append(resources: [String]) {
    for resource in resources { append("resource", resource) }
  }
}

/// A successful response of the token endpoint (RFC 6749 section 5.1).
package struct TokenResponse: Sendable, Hashable {
  package let accessToken: String
  package let tokenType: String
  /// Seconds for which the access token is valid; `nil` if the server does not say.
  package let expiresIn: Int64?
  package let refreshToken: String?
  package var idToken: String?
  /// The granted scope; `nil` means the requested one.
  package let scope: String?
  /// What was granted beyond scopes, an array (RFC 9396 section 7); `nil` if the server does not say.
  package let authorizationDetails: JSON?
  /// Whether requests and responses of resources must be encrypted (servers of the Onegini family).
  package let encryptsPayload: Bool

  /// Reads a response; a token that is bound to a key only if a proof was sent for it.
  package init(_ document: JSONObject, provedBy dpop: DPoP? = nil) throws(OAuthError) {
    guard let accessToken = document["access_token"]?.string, isVisible(accessToken) else {
      throw OAuthError(.malformed, "the token response has no usable access_token")
    }
    self.accessToken = accessToken
    tokenType = try Self.type(document["token_type"], provedBy: dpop)
    expiresIn = try Self.lifetime(document["expires_in"])
    refreshToken = try Self.text("refresh_token", in: document)
    idToken = try Self.text("id_token", in: document)
    scope = try Self.scope(in: document)
    authorizationDetails = document["authorization_details"]?.array.map { .array($0) }
    encryptsPayload = document["payload_encryption"]?.bool == true
  }

  /// RFC 9449 section 5: a response may be a downgrade, which some callers must not accept.
  ///
  /// Some servers leave out the type of bearer tokens, which all others return. Apigee calls them `BearerToken`,
  /// Slack those of an app `bot`.
  private static func type(_ member: JSON?, provedBy dpop: DPoP?) throws(OAuthError) -> String {
    guard let name = member == nil || member == .null ? "bearer" : member?.string else {
      throw OAuthError(.malformed, "'token_type' of the token response is not a string")
    }
    switch (name.asciiLowercased, dpop) {
    case ("dpop", .some): return DPoP.tokenType
    case ("dpop", nil):
      throw OAuthError(.unsupported, "the server binds its token to a key, but none was presented")
    case ("bearer", let dpop), ("bearertoken", let dpop), ("bot", let dpop):
      guard dpop?.isRequired != true else {
        throw OAuthError(
          .untrusted, "the server returned a bearer token, but a token bound to a key is required")
      }
      return "Bearer"
    default:
      throw OAuthError(
        .refused, "the token type '\(printable(name, limit: 40))' is not supported")
    }
  }

  /// Some servers write it as an array.
  private static func scope(in document: JSONObject) throws(OAuthError) -> String? {
    guard let words = document["scope"]?.strings else { return try text("scope", in: document) }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func text(
    _ name: String, in document: JSONObject
  ) throws(OAuthError) -> String? {
    guard let value = document[name], value != .null else { return nil }
    guard let text = value.string else {
      throw OAuthError(.malformed, "'\(name)' of the token response is \(value.kind)")
    }
    return text.isEmpty ? nil : text
  }

  private static func lifetime(_ value: JSON?) throws(OAuthError) -> Int64? {
    guard let value, value != .null else { return nil }
    guard let seconds = value.seconds else {
      throw OAuthError(.malformed, "'expires_in' of the token response is not a number of seconds")
    }
    return min(seconds, 1 << 40)
  }

  /// Removes an ID token that was not requested: it is not verified, so it must not be used.
  ///
  /// A token with another nonce is an error: then the whole response may belong to another login.
  package mutating func dropIDToken(nonce: String? = nil) throws(OAuthError) {
    let token = idToken.flatMap { try? JWT($0) }
    idToken = nil
    guard let nonce, let sent = token?.claims["nonce"] else { return }
    guard let sent = sent.string, ConstantTime.equal(sent, nonce) else {
      throw OAuthError(
        .untrusted, "the ID token must not be trusted: its nonce does not match this login")
    }
  }
}

/// RFC 6749 appendix A.12: tokens are visible ASCII, so they fit a header field.
package func isVisible(_ token: String) -> Bool {
  !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

extension JSON {
  /// A number of seconds, not negative; `nil` for anything else.
  ///
  /// Some servers write it as text, and some with a fraction.
  package var seconds: Int64? {
    if let text = string {
      guard text.utf8.first != UInt8(ascii: " "), let value = try? JSON(parsing: text),
        case .number = value
      else { return nil }
      return value.seconds
    }
    guard let seconds = int ?? double.map({ $0 < 0 ? -1 : Int64(min($0, 1e12)) }), seconds >= 0
    else { return nil }
    return seconds
  }
}
