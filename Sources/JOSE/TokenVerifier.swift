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

  /// Checks a token in compact form: a signed one, or an encrypted one that contains a signed one.
  public func report(on compact: String) -> TokenReport {
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
    return TokenReport([.passed(.decryption)] + report.checks, header: report.header)
  }

  private func signedReport(on compact: String) -> TokenReport {
    let jws: JWS
    do throws(JOSEError) {
      jws = try JWS(compact: compact)
    } catch {
      return TokenReport([.failed(error.code == .criticalUnknown ? .critical : .format, error)])
    }
    let token: JWT
    do throws(JOSEError) {
      token = try JWT(jws)
    } catch {
      // Whether the signature is valid tells a wrong payload from a wrong key.
      return TokenReport(
        [.failed(.format, error), .passed(.critical)] + signatureChecks(of: jws),
        header: jws.header)
    }
    return TokenReport(
      [.passed(.format), .passed(.critical)] + signatureChecks(of: jws)
        + expectations.checks(of: token), header: jws.header)
  }

  private func decrypted(_ compact: String) throws(JOSEError) -> [UInt8] {
    let jwe = try JWE(compact: compact)
    _ = try jwe.supportedAlgorithm()
    guard let decryptionKeys else {
      throw JOSEError(.keyUnsuitable, "the token is encrypted, and there is no key to decrypt it")
    }
    return try jwe.decrypt(withAnyOf: decryptionKeys)
  }

  private func signatureChecks(of jws: JWS) -> [TokenCheckResult] {
    do throws(JOSEError) {
      try keys.verify(jws, allowed: allowed)
      return [.passed(.algorithm), .passed(.key), .passed(.signature)]
    } catch {
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
}
