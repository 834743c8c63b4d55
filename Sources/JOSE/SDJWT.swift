public import JSON
import Primitives

/// A JWT with selective disclosure in compact form (RFC 9901 section 4), parsed but not verified.
///
/// It is a signed token, its disclosures, and perhaps a token with which the holder proves its key.
public struct SDJWT: Sendable, Hashable {
  /// The token that the issuer signed.
  public let issued: JWS
  /// The disclosures, in their order.
  public let disclosures: [Disclosure]
  /// The token that the holder signed (RFC 9901 section 4.3); `nil` without key binding.
  public let keyBinding: JWS?

  /// What `sd_hash` is computed of: everything before the key binding.
  private let presented: ArraySlice<UInt8>

  /// Whether a text is meant as one: a JWT never has the separator.
  public static func hasForm(_ text: String) -> Bool { text.utf8.contains(separator) }

  /// Reads a token.
  ///
  /// - Throws: ``JOSEError`` as ``JWS/init(compact:)`` does, and with the code `malformed` for a
  ///   malformed disclosure.
  public init(_ compact: String) throws(JOSEError) {
    guard compact.utf8.count <= JWS.maximumByteCount else { throw JWS.tooLong }
    let bytes = Array(compact.utf8)
    let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    issued = try JWS(compact: parts[0])
    var disclosures: [Disclosure] = []
    for part in parts.dropFirst().dropLast() { disclosures.append(try Disclosure(part)) }
    self.disclosures = disclosures
    let last = parts[parts.count - 1]
    if last.isEmpty {
      keyBinding = nil
    } else {
      guard last.utf8.contains(UInt8(ascii: ".")) else {
        throw JOSEError(.malformed, "the '~' at the end of the SD-JWT is missing")
      }
      do throws(JOSEError) {
        keyBinding = try JWS(compact: last)
      } catch {
        throw JOSEError(error.code, "the key binding: \(error.message)")
      }
    }
    presented = bytes[..<(bytes.count - last.utf8.count)]
  }

  /// The payload that the issuer signed, which has digests in place of values.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed`.
  public func payload() throws(JOSEError) -> JSON {
    let payload = try parsed("the payload", issued.payload)
    guard payload.object != nil else {
      throw JOSEError(.malformed, "the payload is not an object")
    }
    return payload
  }

  /// The value that `sd_hash` must have (RFC 9901 section 4.3.1).
  func hash() throws(JOSEError) -> String {
    try Disclosure.digest(of: Array(presented), try Disclosure.algorithm(of: payload()))
  }

  /// Refuses the `sd_hash` of a key binding that was made for another token, or with other disclosures.
  func requireHash(_ found: String) throws(JOSEError) {
    guard sameIdentifier(found, try hash()) else {
      throw JOSEError(
        .hashMismatch, "the key binding is of another token or other disclosures (sd_hash)")
    }
  }

  private static let separator = UInt8(ascii: "~")
}

/// Findings about the disclosures and the key binding of an SD-JWT.
struct SDJWTLint {
  private let token: SDJWT

  init(_ token: SDJWT) { self.token = token }

  var findings: [TokenFinding] { [defect, binding].compactMap { $0 } + type + salts + claims }

  private var defect: TokenFinding? {
    do throws(JOSEError) {
      _ = try DisclosedClaims(token)
      return nil
    } catch {
      return TokenFinding(
        .error, error.code == .unsupported ? "sd-alg" : "disclosures", error.message,
        "RFC 9901 7.1")
    }
  }

  /// The first defect of the key binding that can be seen without a key.
  private var binding: TokenFinding? {
    guard let binding = token.keyBinding else { return nil }
    let claims = try? JSON(parsing: binding.payload)
    func finding(_ defect: String) -> TokenFinding {
      TokenFinding(.error, "key-binding", defect, "RFC 9901 4.3")
    }
    if binding.type != "kb+jwt" { return finding("the type of the key binding is not kb+jwt") }
    for name in ["iat", "aud", "nonce", "sd_hash"] where claims?[name] == nil {
      return finding("the key binding has no '\(name)'")
    }
    do throws(JOSEError) {
      try token.requireHash(claims?["sd_hash"]?.string ?? "")
      return nil
    } catch {
      return finding(error.message)
    }
  }

  private var type: [TokenFinding] {
    guard let type = token.issued.type, !type.hasSuffix("+sd-jwt") else { return [] }
    return [
      TokenFinding(
        .warning, "typ-sd-jwt", "the type \(quoted(type)) does not end with +sd-jwt",
        "RFC 9901 9.11")
    ]
  }

  /// A salt has at least 128 bits, 22 characters of base64url.
  private var salts: [TokenFinding] {
    let count = token.disclosures.count { $0.salt.utf8.count < 22 }
    guard count > 0 else { return [] }
    return [
      TokenFinding(
        .warning, "salt-short",
        "\(count) disclosures have a salt of fewer than 128 bits: undisclosed values can be guessed",
        "RFC 9901 9.3")
    ]
  }

  private var claims: [TokenFinding] {
    var findings: [TokenFinding] = []
    let hidden = token.disclosures.compactMap(\.name).filter(Self.validityClaims.contains)
    if !hidden.isEmpty {
      findings.append(
        TokenFinding(
          .warning, "validity-disclosable",
          "the holder can leave out \(hidden.map { "'\($0)'" }.joined(separator: ", "))",
          "RFC 9901 9.7"))
    }
    if let payload = try? token.payload(), payload["cnf"] == nil {
      findings.append(
        TokenFinding(
          .info, "cnf-missing", "no 'cnf': whoever has the token can present it", "RFC 9901 9.5"))
    }
    return findings
  }

  private static let validityClaims: Set<String> = ["iss", "aud", "exp", "nbf", "iat", "cnf"]
}

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
