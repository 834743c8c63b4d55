package import HTTP

/// The token endpoint of a server, as one client uses it (RFC 6749 section 3.2).
package struct TokenEndpoint: Sendable {
  package let url: HTTPURL
  package let client: ClientAuthentication
  package var serverClient: ServerClient
  /// The URL for refresh tokens, if it is another one.
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
