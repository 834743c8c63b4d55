public import Primitives

/// What is required of a token; what is `nil` or empty is not checked.
public struct TokenExpectations: Sendable, Hashable {
  /// The one issuer, compared character by character.
  public var issuer: String?
  /// An issuer with several tenants, in place of ``issuer``.
  package var tenantIssuer: TenantIssuer?
  /// Services; the token must be for one of them.
  public var audiences: [String] = []
  /// The one subject.
  public var subject: String?
  /// The client that it must be issued to: `azp`, or `client_id` of an access token (RFC 9068).
  public var authorizedParty: String?
  /// The media type of the header, such as `at+jwt`.
  public var type: String?
  /// The nonce of the authorization request.
  public var nonce: String?
  /// The access token that `at_hash` must be of.
  public var accessToken: String?
  /// The code that `c_hash` must be of.
  package var code: String?
  /// How many seconds ago the user may have authenticated.
  package var maximumAge: Int64?
  /// The key or certificate that the token must be bound to.
  public var confirmation: TokenConfirmation?
  /// What the holder of an SD-JWT must prove.
  public var keyBinding = KeyBindingExpectations()
  /// The scope values that it must have.
  public var scope: [String] = []
  /// Authentication contexts; the token must name one of them.
  public var contexts: [String] = []
  /// How many seconds it must remain valid; `nil` if it need only be valid now.
  public var minimumLifetime: Int64?
  /// The present time.
  public var now: Timestamp
  /// By how many seconds clocks may differ.
  public var leeway: Int64 = 60
  /// Whether a token without `exp` is refused.
  public var requiresExpiration = true

  /// Whether a token without `iat` is refused.
  package var requiresIssuedAt = false
  /// Whether claims that an ID token need not have are compared only if it has them: `azp` of one
  /// audience, `at_hash` and `c_hash` (OpenID Connect Core 3.1.3.6 and 3.1.3.7).
  package var followsOpenIDConnect = false

  /// Requires only that the token is valid at a time.
  public init(now: Timestamp) { self.now = now }
}

/// What a token is bound to (RFC 7800): the members of its claim `cnf`.
public struct TokenConfirmation: Sendable, Hashable {
  /// The SHA-256 of a certificate as base64url (RFC 8705).
  public var certificate: String?
  /// The thumbprint of a key (RFC 9449).
  public var key: String?

  /// Makes a confirmation.
  public init(certificate: String? = nil, key: String? = nil) {
    self.certificate = certificate
    self.key = key
  }
}
