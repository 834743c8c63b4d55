internal import JSON
internal import Primitives

struct ClaimLint {
  private let claims: JSON
  private let isAccessToken: Bool
  private let isIDToken: Bool
  private let isSelective: Bool

  /// `isSelective` is whether they are of an SD-JWT, whose key binding names the audience.
  init(_ claims: JSON, type: String?, isSelective: Bool = false) {
    self.claims = claims
    self.isSelective = isSelective
    let type = type?.asciiLowercased ?? ""
    isAccessToken = type == "at+jwt" || type == "application/at+jwt"
    isIDToken = !isAccessToken && (claims["nonce"] != nil || claims["at_hash"] != nil)
  }

  var findings: [TokenFinding] { missing + times + issuer + personal + secrets }

  private var missing: [TokenFinding] {
    var rows: [(name: String, severity: TokenFinding.Severity, why: String, section: String)] = [
      ("exp", .error, "the token never expires", "RFC 8725 3.9"),
      ("iss", .warning, "a verifier cannot tell who issued it", "RFC 8725 3.8"),
    ]
    if !isSelective {
      rows.append(("aud", .warning, "every service may accept it", "RFC 8725 3.9"))
    }
    if isAccessToken {
      rows = rows.map { ($0.name, .error, $0.why, "RFC 9068 2.2") }
      rows += [
        ("sub", .error, "access tokens must have it", "RFC 9068 2.2"),
        ("client_id", .error, "access tokens must have it", "RFC 9068 2.2"),
        ("iat", .error, "access tokens must have it", "RFC 9068 2.2"),
        ("jti", .error, "access tokens must have it", "RFC 9068 2.2"),
      ]
    } else {
      rows += [
        ("iat", .info, "its age is not known", "RFC 7519 4.1.6"),
        ("jti", .info, "it cannot be recognised if it is used twice", "RFC 7519 4.1.7"),
      ]
    }
    return rows.filter { isMissing($0.name) }.map {
      TokenFinding($0.severity, "\($0.name)-missing", "no '\($0.name)': \($0.why)", $0.section)
    }
  }

  /// Whether a claim is absent or empty.
  private func isMissing(_ name: String) -> Bool {
    switch claims[name] {
    case nil, .null?, .string("")?: true
    case .array(let elements)?: elements.isEmpty
    default: false
    }
  }

  private var times: [TokenFinding] {
    var findings: [TokenFinding] = []
    for name in ["exp", "nbf", "iat", "auth_time"] {
      guard let value = claims[name] else { continue }
      guard let seconds = value.double else {
        findings.append(
          TokenFinding(
            .error, "time-type", "'\(name)' is \(value.kind), not a number", "RFC 7519 2"))
        continue
      }
      // 100,000,000,000 seconds are the year 5138.
      if seconds >= 100_000_000_000 {
        findings.append(
          TokenFinding(
            .error, "time-milliseconds", "'\(name)' seems to be in milliseconds, not in seconds",
            "RFC 7519 2"))
      }
    }
    guard findings.isEmpty, let end = claims["exp"]?.double else { return findings }
    let notBefore = claims["nbf"]?.double
    if let notBefore, end <= notBefore {
      findings.append(
        TokenFinding(
          .error, "never-valid",
          "the token expires \(end < notBefore ? "before" : "when") it becomes valid",
          "RFC 7519 4.1.5"))
    }
    guard let start = claims["iat"]?.double ?? notBefore else { return findings }
    if end <= start {
      // Reported above already.
      if start == notBefore { return findings }
      findings.append(
        TokenFinding(
          .error, "lifetime", "the token expires \(end < start ? "before" : "when") it is issued",
          "RFC 7519 4.1.4"))
    } else if end - start > 86400 {
      let days = Int64((end - start) / 86400)
      findings.append(
        TokenFinding(
          .warning, "lifetime", "the token is valid for \(days) days; it cannot be revoked so long",
          "RFC 9700 2.2"))
    }
    return findings
  }

  private var issuer: [TokenFinding] {
    guard let issuer = claims["iss"]?.string, !issuer.hasPrefix("https://") else { return [] }
    return [
      TokenFinding(
        .warning, "iss-url", "the issuer \(quoted(issuer)) is not an https URL", "RFC 8414 2")
    ]
  }

  private var personal: [TokenFinding] {
    let found = Self.personalClaims.filter { claims[$0] != nil }
    guard !found.isEmpty else { return [] }
    return [
      TokenFinding(
        isIDToken ? .info : .warning, "personal-data",
        "everyone who gets the token can read \(found.map { "'\($0)'" }.joined(separator: ", "))",
        "RFC 9068 6")
    ]
  }

  private var secrets: [TokenFinding] {
    let found = [
      "password", "passwd", "secret", "client_secret", "secret_key", "api_key", "refresh_token",
      "private_key",
    ].filter { claims[$0] != nil }
    guard !found.isEmpty else { return [] }
    return [
      TokenFinding(
        .error, "secret",
        "everyone who gets the token can read the secret in "
          + found.map { "'\($0)'" }.joined(separator: ", "), "RFC 7519 12")
    ]
  }

  /// Claims about a person (OpenID Connect Core 5.1).
  private static var personalClaims: [String] {
    [
      "name", "given_name", "family_name", "middle_name", "nickname", "email", "phone_number",
      "address", "birthdate", "gender", "picture", "ssn",
    ]
  }
}
