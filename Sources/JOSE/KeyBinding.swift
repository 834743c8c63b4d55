internal import JSON

/// What is required of the key binding of an SD-JWT (RFC 9901 section 7.3).
public struct KeyBindingExpectations: Sendable, Hashable {
  /// Whether a token without key binding is refused.
  public var isRequired = false
  /// The verifier that it must be for (`aud`).
  public var audience: String?
  /// The nonce that the verifier sent.
  public var nonce: String?

  /// Requires only that a key binding is right if there is one.
  public init() {}

  var requiresBinding: Bool { isRequired || audience != nil || nonce != nil }
}

extension TokenVerifier {
  /// The check of a token that cannot have a key binding; none if it needs none.
  var missingKeyBinding: [TokenCheckResult] {
    guard expectations.keyBinding.requiresBinding else { return [] }
    return [.failed(.keyBinding, JOSEError(.keyBindingInvalid, "the token has no key binding"))]
  }

  /// Checks the token of the holder with the key that the issuer named (`cnf`).
  func keyBindingChecks(of token: SDJWT, _ claims: TokenClaims) -> [TokenCheckResult] {
    guard let binding = token.keyBinding else {
      return missingKeyBinding.isEmpty
        ? [.skipped(.keyBinding, "the token has none")] : missingKeyBinding
    }
    let report: TokenReport
    do throws(JOSEError) {
      report = try holderVerifier(claims).report(on: binding)
    } catch {
      return [.failed(.keyBinding, error)]
    }
    let claims = report.signedClaims
    return [
      Self.keyBindingCheck(report, claims),
      Self.hashCheck(token, claims),
      check(.audience, of: report, as: .keyBindingAudience),
      check(.nonce, of: report, as: .keyBindingNonce),
    ]
  }

  private func holderVerifier(_ claims: TokenClaims) throws(JOSEError) -> TokenVerifier {
    guard let member = claims.json["cnf"]?["jwk"] else {
      throw JOSEError(.keyBindingInvalid, "the issuer named no key of the holder (cnf.jwk)")
    }
    let key = try JWK(json: member)
    var wanted = TokenExpectations(now: expectations.now)
    wanted.leeway = expectations.leeway
    wanted.type = "kb+jwt"
    wanted.requiresExpiration = false
    wanted.requiresIssuedAt = true
    wanted.audiences = [expectations.keyBinding.audience].compactMap { $0 }
    wanted.nonce = expectations.keyBinding.nonce
    return TokenVerifier(
      keys: JWKSet(keys: [key], ignoringKeyIDs: true),
      allowed: JWSAlgorithm.asymmetric.union(allowed.intersection([.es256k])), wanted)
  }

  private static func keyBindingCheck(
    _ report: TokenReport, _ claims: JSON?
  ) -> TokenCheckResult {
    let other: Set<TokenCheckResult.Name> = [.audience, .nonce]
    if let failure = report.failures.first(where: { !other.contains($0.name) }) {
      return .failed(
        .keyBinding, JOSEError(failure.code ?? .keyBindingInvalid, failure.summary))
    }
    // RFC 9901 section 4.3: it must have them, whatever the verifier asks for.
    for name in ["aud", "nonce", "sd_hash"] where claims?[name]?.string == nil {
      return .failed(
        .keyBinding, JOSEError(.keyBindingInvalid, "the key binding has no '\(name)'"))
    }
    return .passed(.keyBinding)
  }

  private static func hashCheck(_ token: SDJWT, _ claims: JSON?) -> TokenCheckResult {
    guard let found = claims?["sd_hash"]?.string else {
      return .skipped(.presentationHash, "the key binding has no 'sd_hash'")
    }
    do throws(JOSEError) {
      try token.requireHash(found)
      return .passed(.presentationHash)
    } catch {
      return .failed(.presentationHash, error)
    }
  }

  /// A check of the holder's token under its own name.
  private func check(
    _ name: TokenCheckResult.Name, of report: TokenReport, as other: TokenCheckResult.Name
  ) -> TokenCheckResult {
    guard let check = report.checks.first(where: { $0.name == name }) else {
      return .skipped(other, "the key binding could not be read")
    }
    return TokenCheckResult(
      name: other, status: check.status, detail: check.detail, code: check.code)
  }
}
