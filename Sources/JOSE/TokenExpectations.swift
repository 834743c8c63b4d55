import JSON
import OpenSSL
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

  func check(_ claim: JSON?) throws(JOSEError) {
    // A token names a key by its thumbprint, or has it (RFC 7800 section 3.2).
    let thumbprint =
      claim?["jkt"]?.string ?? claim?["jwk"].flatMap { try? JWK(json: $0).thumbprint }
    let rows = [
      ("x5t#S256", claim?["x5t#S256"]?.string, certificate, "another certificate"),
      ("jkt", thumbprint, key, "another key"),
    ]
    for (name, found, wanted, other) in rows {
      guard let wanted else { continue }
      guard let found else {
        throw JOSEError(.confirmationMismatch, "the token has no 'cnf' with '\(name)'")
      }
      guard ConstantTime.equal(found, wanted) else {
        throw JOSEError(.confirmationMismatch, "the token is bound to \(other) (\(name))")
      }
    }
  }
}

/// The hashes that bind an ID token to what came with it (OpenID Connect Core 3.1.3.6, 3.3.2.11).
public enum TokenHash {
  /// The value of `at_hash` or `c_hash`.
  ///
  /// - Parameters:
  ///   - token: the access token or the code.
  ///   - algorithm: the algorithm that signed the ID token, whose hash is used.
  /// - Returns: the left half of the hash as base64url.
  /// - Throws: ``JOSEError`` if libcrypto cannot be used.
  public static func leftHalf(
    of token: String, algorithm: JWSAlgorithm
  ) throws(JOSEError) -> String {
    let hash = try joseError { () throws(CryptoError) in
      try Digest.hash(Array(token.utf8), with: algorithm.digest)
    }
    return Base64URL.encode(Array(hash.prefix(hash.count / 2)))
  }
}

/// Finds what RFC 8725 (best practices of JWT), RFC 9068 (access tokens) and RFC 7519 advise against.
///
/// The findings come from the token alone: its signature is not verified.
public enum TokenRules {
  /// The findings about a token, the worst first.
  public static func findings(in compact: String) -> [TokenFinding] {
    findings(in: compact, depth: 0).sorted { $0.severity > $1.severity }
  }

  private static func findings(in compact: String, depth: Int) -> [TokenFinding] {
    guard depth < TokenContent.maximumDepth else {
      return [
        TokenFinding(
          .error, "nesting", "the token contains tokens in tokens in tokens", "RFC 8725 3.11")
      ]
    }
    do throws(JOSEError) {
      if SDJWT.hasForm(compact) {
        let token = try SDJWT(compact)
        return size(compact)
          + HeaderLint(token.issued.header).signature(token.issued.signature.count)
          + ClaimLint(try token.payload(), type: token.issued.type, isSelective: true).findings
          + SDJWTLint(token).findings
      }
      if JWE.isEncrypted(compact) {
        let jwe = try JWE(compact: compact)
        return size(compact) + HeaderLint(jwe.header).encryption + [unread]
      }
      let jws = try JWS(compact: compact)
      let header = HeaderLint(jws.header)
      let inner = JWT.token(in: jws.payload)
      var findings = size(compact) + header.signature(jws.signature.count)
      findings += nesting(jws, isNested: inner != nil)
      if let inner {
        return findings + self.findings(in: inner, depth: depth + 1)
      }
      guard let claims = try? JSON(parsing: jws.payload), claims.object != nil else {
        return findings + [
          TokenFinding(.error, "payload", "the payload is not a JSON object", "RFC 7519 7.2")
        ]
      }
      return findings + ClaimLint(claims, type: jws.type).findings
    } catch {
      return [malformed(error)]
    }
  }

  private static var unread: TokenFinding {
    TokenFinding(
      .info, "encrypted", "the claims are encrypted and were not examined", "RFC 7516 3")
  }

  private static func malformed(_ error: JOSEError) -> TokenFinding {
    switch error.code {
    case .criticalUnknown: TokenFinding(.error, "crit", error.message, "RFC 7515 4.1.11")
    case .unsupported: TokenFinding(.error, "zip", error.message, "RFC 8725 3.6")
    default: TokenFinding(.error, "malformed", error.message, "RFC 7519 7.2")
    }
  }

  private static func size(_ compact: String) -> [TokenFinding] {
    guard compact.utf8.count > 8000 else { return [] }
    return [
      TokenFinding(
        .warning, "size",
        "the token has \(compact.utf8.count) bytes; many servers limit header fields to 8 KiB",
        "RFC 9110 5.4")
    ]
  }

  private static func nesting(_ jws: JWS, isNested: Bool) -> [TokenFinding] {
    let names = jws.header["cty"]?.string?.asciiLowercased == "jwt"
    if isNested, !names {
      return [
        TokenFinding(
          .warning, "cty", "the payload is a token, but 'cty' is not JWT", "RFC 7519 5.2")
      ]
    }
    if names, !isNested {
      return [
        TokenFinding(
          .warning, "cty", "'cty' is JWT, but the payload is not a token", "RFC 7519 5.2")
      ]
    }
    return []
  }
}
