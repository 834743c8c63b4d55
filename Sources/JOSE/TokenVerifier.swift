public import JSON

/// Checks tokens and reports every check.
public struct TokenVerifier: Sendable {
  /// The keys that may have signed a token.
  public var keys: JWKSet
  /// The algorithms that may have been used, whatever a token says.
  public var allowed: Set<JWSAlgorithm>
  /// What is required of the claims.
  public var expectations: TokenExpectations
  /// The keys that decrypt encrypted tokens; `nil` if such tokens are refused.
  public var decryptionKeys: KeyFile?

  /// Makes a verifier.
  public init(
    keys: JWKSet, allowed: Set<JWSAlgorithm> = JWSAlgorithm.asymmetric,
    _ expectations: TokenExpectations
  ) {
    self.keys = keys
    self.allowed = allowed
    self.expectations = expectations
  }

  /// Checks a token in compact form: a signed one, an SD-JWT (RFC 9901), or an encrypted one that contains
  /// a signed one.
  public func report(on compact: String) -> TokenReport {
    if SDJWT.hasForm(compact) { return selectiveReport(on: compact) }
    guard JWE.isEncrypted(compact) else { return signedReport(on: compact) }
    let content: [UInt8]
    do throws(JOSEError) {
      content = try decrypted(compact)
    } catch {
      let failed: TokenCheckResult.Name =
        switch error.code {
        case .criticalUnknown: .critical
        case .malformed, .tooLarge: .format
        default: .decryption
        }
      return TokenReport([.failed(failed, error)])
    }
    guard let inner = JWT.token(in: content), !JWE.isEncrypted(inner) else {
      // Whoever has the public key can encrypt (RFC 7519 section 11.2).
      let error = JOSEError(.signatureInvalid, "the token is encrypted, but not signed")
      return TokenReport([.passed(.format), .passed(.decryption), .failed(.signature, error)])
    }
    let report = signedReport(on: inner)
    return TokenReport(
      [.passed(.decryption)] + report.checks, header: report.header, key: report.key,
      signedClaims: report.signedClaims)
  }

  private func signedReport(on compact: String) -> TokenReport {
    let jws: JWS
    do throws(JOSEError) {
      jws = try JWS(compact: compact)
    } catch {
      return Self.unreadable(error)
    }
    return report(on: jws)
  }

  private static func unreadable(_ error: JOSEError) -> TokenReport {
    TokenReport([.failed(error.code == .criticalUnknown ? .critical : .format, error)])
  }

  private func selectiveReport(on compact: String) -> TokenReport {
    let token: SDJWT
    do throws(JOSEError) {
      token = try SDJWT(compact)
    } catch {
      return Self.unreadable(error)
    }
    let signature = signatureChecks(of: token.issued)
    let checks = [.passed(.format), .passed(.critical)] + signature.checks
    do throws(JOSEError) {
      let claims = try TokenClaims(DisclosedClaims(token).claims)
      return TokenReport(
        checks + [.passed(.disclosures)] + expectations.checks(of: claims, token.issued)
          + keyBindingChecks(of: token, claims),
        header: token.issued.header, key: signature.key, signedClaims: claims.json)
    } catch {
      return TokenReport(
        checks + [.failed(.disclosures, error)], header: token.issued.header, key: signature.key,
        signedClaims: nil)
    }
  }

  func report(on jws: JWS) -> TokenReport {
    let signature = signatureChecks(of: jws)
    let token: JWT
    do throws(JOSEError) {
      token = try JWT(jws)
    } catch {
      // Whether the signature is valid tells a wrong payload from a wrong key.
      return TokenReport(
        [.failed(.format, error), .passed(.critical)] + signature.checks, header: jws.header,
        key: signature.key, signedClaims: nil)
    }
    return TokenReport(
      [.passed(.format), .passed(.critical)] + signature.checks + expectations.checks(of: token)
        + missingKeyBinding, header: jws.header, key: signature.key, signedClaims: token.claims)
  }

  private func decrypted(_ compact: String) throws(JOSEError) -> [UInt8] {
    let jwe = try JWE(compact: compact)
    _ = try jwe.supportedAlgorithm()
    guard let decryptionKeys else {
      throw JOSEError(.keyUnsuitable, "the token is encrypted, and there is no key to decrypt it")
    }
    return try jwe.decrypt(withAnyOf: decryptionKeys)
  }

  private func signatureChecks(of jws: JWS) -> (checks: [TokenCheckResult], key: JWK?) {
    do throws(JOSEError) {
      let key = try keys.verify(jws, allowed: allowed)
      return ([.passed(.algorithm), .passed(.key), .passed(.signature)], key)
    } catch {
      return (Self.checks(of: error), nil)
    }
  }

  private static func checks(of error: JOSEError) -> [TokenCheckResult] {
    switch error.code {
    case .algorithmNotAllowed:
      return [
        .failed(.algorithm, error), .skipped(.key, "the algorithm is not allowed"),
        .skipped(.signature, "the algorithm is not allowed"),
      ]
    case .noMatchingKey:
      return [
        .passed(.algorithm), .failed(.key, error), .skipped(.signature, "there is no key for it"),
      ]
    case .keyUnsuitable:
      return [
        .passed(.algorithm), .failed(.key, error), .skipped(.signature, "the key is not for it"),
      ]
    default: return [.passed(.algorithm), .passed(.key), .failed(.signature, error)]
    }
  }
}

/// One check of a token, and its result.
public struct TokenCheckResult: Sendable, Hashable {
  /// What is checked; the raw values are promised to programs.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// The form of the token: three parts, base64url, JSON, claims of the right type.
    case format
    /// Whether an encrypted token can be decrypted.
    case decryption = "decrypt"
    /// Critical extensions of the header (RFC 7515 section 4.1.11).
    case critical = "crit"
    /// The algorithm of the signature.
    case algorithm = "alg"
    /// Whether there is a key for the token.
    case key
    case signature
    /// The media type of the header.
    case type = "typ"
    case issuer = "iss"
    case audience = "aud"
    case subject = "sub"
    /// The client that it was issued to (OpenID Connect Core 2).
    case authorizedParty = "azp"
    case nonce
    case expiration = "exp"
    case notBefore = "nbf"
    case issuedAt = "iat"
    /// The hash of the access token in an ID token.
    case accessTokenHash = "at_hash"
    /// The hash of the code in an ID token.
    case codeHash = "c_hash"
    /// The key or certificate that the token is bound to (RFC 7800).
    case confirmation = "cnf"
    /// The disclosures of an SD-JWT (RFC 9901 section 7.1).
    case disclosures
    /// The token with which the holder of an SD-JWT proves its key (RFC 9901 section 7.3).
    case keyBinding = "kb"
    /// The hash of the presented token in that proof.
    case presentationHash = "sd_hash"
    /// The verifier that the proof is for.
    case keyBindingAudience = "kb-aud"
    /// The nonce of the verifier in the proof.
    case keyBindingNonce = "kb-nonce"
    case scope
    /// The authentication context.
    case authenticationContext = "acr"
    /// How long ago the user authenticated.
    case authenticationTime = "max_age"
    /// How long the token remains valid.
    case lifetime = "min-ttl"
  }

  /// The status of a check.
  public enum Status: String, Sendable, Hashable {
    case passed
    case failed
    /// Not asked for, or not possible after an earlier failure.
    case skipped
  }

  /// What was checked.
  public let name: Name
  /// The result.
  public let status: Status
  /// Why it failed, or why it was skipped; `nil` if it passed.
  public let detail: String?
  /// The error of a failed check.
  public let code: JOSEError.Code?

  /// A check that passed.
  public static func passed(_ name: Name) -> TokenCheckResult {
    TokenCheckResult(name: name, status: .passed, detail: nil, code: nil)
  }

  /// A check that was not made, and why.
  public static func skipped(_ name: Name, _ detail: String) -> TokenCheckResult {
    TokenCheckResult(name: name, status: .skipped, detail: detail, code: nil)
  }

  /// A check that failed.
  public static func failed(_ name: Name, _ error: JOSEError) -> TokenCheckResult {
    TokenCheckResult(name: name, status: .failed, detail: error.message, code: error.code)
  }

  /// The check and why it failed.
  public var summary: String { "\(name.rawValue): \(detail ?? status.rawValue)" }

  /// Whether only the time makes it fail.
  var isTime: Bool {
    [.expired, .notYetValid, .issuedInFuture].contains(code)
  }
}

/// The checks of one token.
public struct TokenReport: Sendable, Hashable {
  /// The result of all checks together; the raw values are promised to programs.
  public enum Verdict: String, Sendable, Hashable {
    case valid
    /// Genuine, but its time is over.
    case expired
    /// Genuine, but not yet valid.
    case notYetValid = "not-yet-valid"
    case invalid
  }

  /// All checks, in their order.
  public let checks: [TokenCheckResult]

  /// The header of the signed token; `nil` if it could not be read.
  public let header: JSON?

  /// The key that made the signature; `nil` if the signature is not valid.
  public let key: JWK?

  /// The claims, of an SD-JWT with the disclosed ones; `nil` if the signature is not valid.
  public let signedClaims: JSON?

  /// Makes a report: of checks that a program makes itself, such as those of an introspection response.
  ///
  /// - Parameters:
  ///   - checks: all checks, in their order.
  ///   - header: the header of the signed token, an object; `nil` without one.
  public init(_ checks: [TokenCheckResult], header: JSON? = nil) {
    self.init(checks, header: header, key: nil, signedClaims: nil)
  }

  init(_ checks: [TokenCheckResult], header: JSON?, key: JWK?, signedClaims: JSON?) {
    self.checks = checks
    self.header = header
    self.key = key
    self.signedClaims = key == nil ? nil : signedClaims
  }

  /// The failed checks.
  public var failures: [TokenCheckResult] { checks.filter { $0.status == .failed } }

  /// The result of all checks.
  public var verdict: Verdict {
    let failures = failures
    if failures.isEmpty { return .valid }
    guard failures.allSatisfy(\.isTime) else { return .invalid }
    return failures.contains { $0.code == .expired } ? .expired : .notYetValid
  }

  /// Whether it failed only because the token asks for what is not supported.
  public var isUnsupported: Bool {
    let failures = failures
    return !failures.isEmpty && failures.allSatisfy { $0.code?.isUnsupported == true }
  }

  /// Whether other keys of the issuer may change the result.
  public var needsNewerKeys: Bool {
    checks.contains { $0.name == .key && $0.code == .noMatchingKey }
  }
}
