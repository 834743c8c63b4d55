internal import JSON

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
