internal import JSON
internal import Primitives

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
