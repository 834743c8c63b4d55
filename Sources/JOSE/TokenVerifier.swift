/// Checks tokens and reports every check.
public struct TokenVerifier: Sendable {
  /// The keys that may have signed a token.
  public var keys: JWKSet
  /// The algorithms that may have been used, whatever a token says.
  public var allowed: Set<JWSAlgorithm>
  /// What is required of the claims.
  public var expectations: TokenExpectations

  /// Makes a verifier.
  public init(
    keys: JWKSet, allowed: Set<JWSAlgorithm> = JWSAlgorithm.asymmetric,
    _ expectations: TokenExpectations
  ) {
    self.keys = keys
    self.allowed = allowed
    self.expectations = expectations
  }

  /// Checks a signed token in compact form.
  public func report(on compact: String) -> TokenReport {
    let token: JWT
    do throws(JOSEError) {
      token = try JWT(compact)
    } catch {
      return TokenReport([.failed(error.code == .criticalUnknown ? .critical : .format, error)])
    }
    return TokenReport(
      [.passed(.format), .passed(.critical)] + signatureChecks(of: token.jws)
        + expectations.checks(of: token))
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
      default: return [.passed(.algorithm), .passed(.key), .failed(.signature, error)]
      }
    }
  }
}
