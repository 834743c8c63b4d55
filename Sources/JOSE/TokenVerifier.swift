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

  /// Checks a signed token.
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
