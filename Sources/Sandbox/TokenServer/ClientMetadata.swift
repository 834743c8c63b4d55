import JSON

/// The metadata that clients register (RFC 7591 section 2).
enum ClientMetadata {
  static let authMethods = [
    "none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt",
    CertificateAuthentication.authority, CertificateAuthentication.selfSigned,
  ]

  /// Members the server sets itself: what a client sends under these names is not kept.
  private static let reserved = [
    "client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at",
    "registration_access_token", "registration_client_uri",
  ]

  /// Checks what a client asks for and fills in what it left out.
  static func checked(_ request: JSONObject) throws(OAuthError) -> JSONObject {
    var metadata = try withStatement(request)
    for member in reserved { metadata[member] = nil }
    let method = metadata["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
    guard authMethods.contains(method) else {
      throw .invalidMetadata("token_endpoint_auth_method is not one of those supported")
    }
    metadata["token_endpoint_auth_method"] = .string(method)
    let grants = try strings("grant_types", in: metadata) ?? [GrantType.authorizationCode.rawValue]
    guard grants.allSatisfy({ GrantType(rawValue: $0) != nil }) else {
      throw .invalidMetadata("grant_types has a grant that is not supported")
    }
    metadata["grant_types"] = .strings(grants)
    let usesCodes = grants.contains(GrantType.authorizationCode.rawValue)
    let responses = try strings("response_types", in: metadata) ?? (usesCodes ? ["code"] : [])
    guard responses.allSatisfy({ $0 == "code" }) else {
      throw .invalidMetadata("response_types has a type that is not supported")
    }
    metadata["response_types"] = .strings(responses)
    try checkRedirects(in: metadata, required: usesCodes)
    let keyMethods = ["private_key_jwt", CertificateAuthentication.selfSigned]
    try checkKeys(in: metadata, required: keyMethods.contains(method))
    try checkCertificate(in: metadata, required: method == CertificateAuthentication.authority)
    try checkTokens(in: metadata)
    let scopes = Scope.split(metadata["scope"]?.string)
    guard scopes.allSatisfy(Scope.all.contains) else {
      throw .invalidMetadata("scope has a value that is not supported")
    }
    return metadata
  }

  /// The request with the claims of its software statement on top (RFC 7591 section 2.3).
  ///
  /// Any well-formed statement is believed: the sandbox trusts every publisher.
  private static func withStatement(
    _ request: JSONObject
  ) throws(OAuthError)
    -> JSONObject
  {
    guard let statement = request["software_statement"] else { return request }
    guard let claims = statement.string.flatMap(JWT.init)?.claims.object else {
      throw OAuthError("invalid_software_statement", "the software statement is not a JWT")
    }
    let described = claims.filter { !["iss", "sub", "aud", "exp", "iat", "jti"].contains($0.key) }
    return request.merging(described) { _, stated in stated }
  }

  private static func strings(
    _ member: String, in metadata: JSONObject
  )
    throws(OAuthError) -> [String]?
  {
    guard let value = metadata[member] else { return nil }
    guard let strings = value.strings, strings.count <= 50 else {
      throw .invalidMetadata("\(member) must be a list of texts")
    }
    return strings
  }

  private static func checkRedirects(
    in metadata: JSONObject, required: Bool
  )
    throws(OAuthError)
  {
    let addresses = try strings("redirect_uris", in: metadata) ?? []
    guard !required || !addresses.isEmpty else {
      throw OAuthError("invalid_redirect_uri", "redirect_uris is missing")
    }
    let endings = try strings("post_logout_redirect_uris", in: metadata) ?? []
    for text in addresses + endings {
      guard let address = Address(text), isAcceptable(address) else {
        throw OAuthError(
          "invalid_redirect_uri",
          "a redirect URI must be https, http on loopback, or of the scheme of an app")
      }
    }
  }

  private static func isAcceptable(_ address: Address) -> Bool {
    switch address.scheme {
    case "https": !address.host.isEmpty
    case "http": address.isLoopback
    // Apps have schemes without a dot too, although RFC 8252 section 7.1 advises against them.
    default: !["javascript", "data", "vbscript", "file", "about", "blob"].contains(address.scheme)
    }
  }

  private static func checkKeys(in metadata: JSONObject, required: Bool) throws(OAuthError) {
    guard metadata["jwks_uri"] == nil else {
      throw .invalidMetadata("jwks_uri is not supported; send jwks")
    }
    guard let keys = metadata["jwks"]?["keys"]?.array else {
      if required { throw .invalidMetadata("this token_endpoint_auth_method needs jwks") }
      return
    }
    guard !keys.isEmpty, keys.allSatisfy({ VerificationKey(jwk: $0) != nil }) else {
      throw .invalidMetadata("jwks must hold public RSA, P-256 or Ed25519 keys only")
    }
  }

  private static func checkCertificate(
    in metadata: JSONObject, required: Bool
  ) throws(OAuthError) {
    let names = CertificateNames.members.compactMap { metadata[$0] }
    guard names.count == (required ? 1 : names.count),
      names.allSatisfy({ $0.string.map { !$0.isEmpty } ?? false })
    else {
      throw .invalidMetadata("tls_client_auth needs exactly one of its tls_client_auth_ names")
    }
    if let bound = metadata["tls_client_certificate_bound_access_tokens"], bound.bool == nil {
      throw .invalidMetadata("tls_client_certificate_bound_access_tokens must be true or false")
    }
  }

  private static func checkTokens(in metadata: JSONObject) throws(OAuthError) {
    if let algorithm = metadata["id_token_signed_response_alg"] {
      guard algorithm.string.flatMap(SigningKey.Algorithm.init) != nil else {
        throw .invalidMetadata("id_token_signed_response_alg must be RS256 or ES256")
      }
    }
    if let format = metadata["access_token_format"] {
      guard format.string.flatMap(TokenFormat.init(rawValue:)) != nil else {
        throw .invalidMetadata("access_token_format must be jwt or opaque")
      }
    }
    if let lifetime = metadata["access_token_lifetime"] {
      guard let seconds = lifetime.int, (1...86_400).contains(seconds) else {
        throw .invalidMetadata("access_token_lifetime must be 1 to 86400 seconds")
      }
    }
  }
}
