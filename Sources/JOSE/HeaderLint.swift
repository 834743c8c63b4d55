internal import JSON
internal import OpenSSL
internal import Primitives

struct HeaderLint {
  private let header: JSON
  private let algorithm: String

  init(_ header: JSON) {
    self.header = header
    algorithm = header["alg"]?.string ?? ""
  }

  /// Findings about a signed token with a signature of that many bytes.
  func signature(_ byteCount: Int) -> [TokenFinding] {
    strength(byteCount) + type + common
  }

  private func strength(_ byteCount: Int) -> [TokenFinding] {
    if algorithm.asciiLowercased == "none" {
      return [TokenFinding(.error, "alg-none", "the token is not signed", "RFC 8725 3.2")]
    }
    guard let known = JWSAlgorithm(identifier: algorithm) else {
      return [
        TokenFinding(
          .error, "alg-unknown", "the algorithm \(quoted(algorithm)) is not a known one",
          "RFC 8725 3.1")
      ]
    }
    switch known {
    case .hs256, .hs384, .hs512:
      return [
        TokenFinding(
          .warning, "alg-shared",
          "everyone who can verify the token can also make one (\(algorithm))", "RFC 8725 3.5")
      ]
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
      guard byteCount * 8 < 2048 else { return [] }
      return [
        TokenFinding(
          .error, "key-small", "the RSA key has \(byteCount * 8) bits, fewer than 2048",
          "RFC 7518 3.3")
      ]
    case .es256k:
      return [
        TokenFinding(
          .warning, "alg-es256k", "few verifiers accept ES256K", "RFC 8812 3.2")
      ]
    case .es256, .es384, .es512:
      let expected = known.signatureByteCounts.lowerBound
      guard byteCount != expected else { return [] }
      return [
        TokenFinding(
          .error, "signature-length",
          "the signature has \(byteCount) bytes; \(algorithm) has \(expected)", "RFC 7518 3.4")
      ]
    case .edDSA, .ed25519, .ed448: return []
    }
  }

  private var type: [TokenFinding] {
    guard header["typ"] == nil else { return [] }
    return [
      TokenFinding(
        .warning, "typ-missing",
        "the header has no 'typ': the token can be confused with one of another kind",
        "RFC 8725 3.11")
    ]
  }

  var encryption: [TokenFinding] {
    var findings: [TokenFinding] = []
    if algorithm == "RSA1_5" {
      findings.append(
        TokenFinding(.error, "alg-rsa1_5", "RSA1_5 can be decrypted by trying", "RFC 8725 3.2"))
    } else if algorithm.hasPrefix("PBES2") {
      let count = header["p2c"]?.int ?? 0
      findings.append(
        TokenFinding(
          count > 1_000_000 ? .error : .warning, "alg-password",
          "the token is encrypted with a password (\(algorithm), \(count) iterations)",
          "RFC 8725 3.5"))
    } else if JWEAlgorithm(identifier: algorithm) == nil {
      findings.append(
        TokenFinding(
          .error, "alg-unknown", "the algorithm \(quoted(algorithm)) is not a known one",
          "RFC 8725 3.1"))
    }
    if algorithm == JWEAlgorithm.rsaOAEP.rawValue {
      findings.append(
        TokenFinding(.info, "alg-sha1", "RSA-OAEP uses SHA-1; prefer RSA-OAEP-256", "RFC 8725 3.2"))
    }
    return findings + common
  }

  private var common: [TokenFinding] {
    var findings: [TokenFinding] = []
    for name in ["jku", "x5u"] where header[name] != nil {
      findings.append(
        TokenFinding(
          .warning, name, "'\(name)' asks the verifier to fetch a URL of the token's choice",
          "RFC 8725 3.10"))
    }
    if header["jwk"] != nil, header["typ"]?.string?.asciiLowercased != "dpop+jwt" {
      findings.append(
        TokenFinding(
          .warning, "jwk", "the token brings its own key, which proves nothing", "RFC 8725 3.10"))
    }
    if let kid = header["kid"]?.string {
      let isSuspect =
        kid.containsText("/") || kid.containsText("\\") || kid.containsText("..")
        || kid.utf8.contains { "'\";|`".utf8.contains($0) || $0 < 0x20 }
      if isSuspect {
        findings.append(
          TokenFinding(
            .warning, "kid-path", "'kid' looks like a path, a URL or a query: \(quoted(kid))",
            "RFC 8725 3.10"))
      } else if kid.isEmpty {
        findings.append(TokenFinding(.warning, "kid-empty", "'kid' is empty", "RFC 7515 4.1.4"))
      }
    }
    return findings
  }
}
