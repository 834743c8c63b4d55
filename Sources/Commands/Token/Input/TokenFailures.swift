import JOSE
import JSON
import POSIX
import Primitives

extension FoundToken {
  /// Three parts are a signed token, five an encrypted one (RFC 7515, RFC 7516); disclosures may follow a
  /// signed one (RFC 9901).
  var isJWT: Bool {
    if hasNUL { return false }
    let parts = text.utf8.prefix { $0 != UInt8(ascii: "~") }
    return text.utf8.first != UInt8(ascii: "{") && !OtherFormat.isPASETO(text)
      && (SDJWT.hasForm(text) ? [2] : [2, 4]).contains(parts.count { $0 == UInt8(ascii: ".") })
  }

  /// Whether it has a byte that no text has, as each text in UTF-16.
  var hasNUL: Bool { text.utf8.contains(0) }

  /// Whether it is a line of a log, a document or an assignment without a token.
  var isProse: Bool {
    // A damaged token is reported: its header is an object in base64url, as prose with two dots is not.
    let isLikely = isJWT && ["ey", "ew"].contains(text.prefix(2))
    guard name == nil, !isLikely, !hasNUL, !isTokenInJSON(text) else { return false }
    // What can be sent as a bearer token (RFC 6750 section 2.1) may be an opaque one.
    let end = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return !text.utf8.dropLast(end).allSatisfy {
      $0.isLetter || $0.isDigit || "-._~+/".utf8.contains($0)
    }
  }

  /// What people read of an opaque token of a token response.
  var opaqueText: String {
    "opaque: not a JWT; only the server can read it\n"
  }
}

extension Failure {
  /// A text that is not a JWT, or a token in a form that is not supported.
  static func notJWT(
    _ token: FoundToken, to action: String, exit: ExitCode = .failure
  ) -> Failure {
    if token.hasNUL {
      return Failure(
        .notAToken, exit: exit,
        "could not \(action) the token: it has a NUL byte, as text in UTF-16 has",
        hints: ["save it as UTF-8"])
    }
    if let cause = otherJSON(token.text) {
      return Failure(.notAToken, "could not \(action) the token: \(cause)")
    }
    if let name = OtherFormat.name(of: token.text) {
      return Failure(
        .notAJwt, exit: exit, "could not \(action) the token: it is not a JWT, but \(name)")
    }
    if let defect = PastedTokens.defect(of: token.text) {
      return Failure(.notAJwt, exit: exit, "could not \(action) the token: \(defect)")
    }
    guard isTokenInJSON(token.text) else {
      return notJWT(to: action, exit: exit, hints: ["sdkctl token introspect FILE"])
    }
    return Failure(
      .unsupported, exit: exit,
      "could not \(action) the token: "
        + (isDetached(token.text)
          ? "its payload is detached (RFC 7515 appendix F), which is not supported"
          : "it has no compact form, because it has several signatures or recipients, or a header "
            + "that is not protected"))
  }

  static func unreadableToken(_ error: JOSEError, to action: String) -> Failure {
    let code: ErrorCode =
      switch error.code {
      case .decryptionFailed: .decryptionFailed
      case let code where code.isUnsupported: .unsupported
      default: .notAJwt
      }
    return Failure(code, exit: .failure, "could not \(action) the token: \(error.message)")
  }

  /// What a JSON text without a token is; `nil` if it is none, or has a token in another form.
  private static func otherJSON(_ text: String) -> String? {
    guard !isTokenInJSON(text), let document = try? JSON(parsing: text),
      let members = document.object
    else { return nil }
    // RFC 6749 section 5.2.
    guard let error = members["error"]?.string else {
      return "the input is a JSON object without a token"
    }
    let description = members["error_description"]?.string.map { ": \(VisibleText.quoted($0))" }
    return "the input is an error response, \(VisibleText.quoted(error))\(description ?? "")"
  }

  /// A token that only the server can read.
  static func notJWT(
    to action: String, exit: ExitCode = .failure, hints: [String] = []
  ) -> Failure {
    Failure(
      .notAJwt, exit: exit,
      "could not \(action) the token: it is not a JWT; only the server can read an opaque token",
      hints: hints)
  }

  static func emptyInput(to action: String) -> Failure {
    Failure(.inputEmpty, "could not \(action) the token: the input is empty")
  }

  /// Lines of which none looks like a token.
  static func noToken(to action: String, exit: ExitCode = .failure) -> Failure {
    Failure(.notAToken, exit: exit, "could not \(action) the tokens: none of the lines has one")
  }

  /// Input that could not be read.
  ///
  /// If the operand is a token and no file, it is not repeated: errors show no secret.
  static func unreadableInput(_ error: SystemError, operand: String? = nil) -> Failure {
    if let operand, let failure = tokenOperand(operand) { return failure }
    // A long name that is not that of a file may be an opaque token.
    if let operand, error.isNotFound || operand.utf8.count > 255, operand.utf8.count >= 32,
      !operand.contains("/")
    {
      return Failure(
        .inputUnreadable, "could not read the token: there is no file of that name",
        hints: [inputHint])
    }
    return Failure(.inputUnreadable, "could not read the token: \(error)")
  }

  /// The failure of an operand that is a token, not a file; `nil` for any other.
  static func tokenOperand(_ operand: String) -> Failure? {
    guard looksLikeToken(operand) else { return nil }
    return .usage(
      "a token cannot be an operand: other users of this machine can read a command line",
      hints: [inputHint])
  }

  private static let inputHint =
    "give a file that holds the token, or - and the token on standard input"

  /// Whether an operand begins as a JWT or a header value does.
  private static func looksLikeToken(_ operand: String) -> Bool {
    operand.hasPrefix("Bearer ") || operand.hasPrefix("eyJ") && operand.contains(".")
  }

  init(_ report: TokenReport, _ action: String, _ name: String? = nil) {
    let causes = report.failures.map(\.summary).joined(separator: "; ")
    let what = name.map { "the token '\($0)'" } ?? "the token"
    let code = ErrorCode(report.verdict)
    self.init(
      report.isUnsupported ? .unsupported : code, exit: code.exit,
      "could not \(action) \(what): \(causes)",
      hints: report.failures.contains { $0.code == .nested } ? ["sdkctl token decode FILE"] : [])
  }
}

extension ErrorCode {
  fileprivate init(_ verdict: TokenReport.Verdict) {
    switch verdict {
    case .valid: self = .failed
    case .expired: self = .tokenExpired
    case .notYetValid: self = .tokenNotYetValid
    case .invalid: self = .tokenInvalid
    }
  }
}

/// What a text is that somebody takes for a JWT.
enum OtherFormat {
  /// Its name, with an article; `nil` if it is unknown.
  static func name(of text: String) -> String? {
    let start = text.asciiLowercased
    if isPASETO(text) { return "a PASETO" }
    if start.hasPrefix("age-secret-key-1") { return "a private key of age" }
    if start.hasPrefix("age1") { return "a public key of age" }
    if ["ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2-"].contains(where: start.hasPrefix) {
      return "a public key of OpenSSH"
    }
    if start.hasPrefix("-----begin ") {
      return "a key or a certificate in PEM; `token jwk` shows it"
    }
    if isXML(Array(text.utf8)) || Base64.decode(text.utf8).map(isXML) == true {
      return "XML, such as a SAML response"
    }
    let isCookie =
      ["set-cookie:", "cookie:"].contains(where: start.hasPrefix)
      || text.split(separator: ";").allSatisfy { $0.utf8.contains(UInt8(ascii: "=")) }
        && text.utf8.contains(UInt8(ascii: ";"))
      || start.containsText("; path=") || start.containsText("; httponly")
    return isCookie ? "a cookie without a JWT" : nil
  }

  /// Whether a text is a PASETO, which has three parts as a JWT.
  static func isPASETO(_ text: String) -> Bool {
    ["v1.", "v2.", "v3.", "v4."].contains(where: text.hasPrefix)
      && ["local.", "public."].contains(where: text.dropFirst(3).hasPrefix)
  }

  /// Whether a text begins a document of another format, which is read as a whole.
  static func begins(_ line: [UInt8]) -> Bool {
    let line = line[...].trimmingSpace
    return line.first == UInt8(ascii: "<") || line.starts(with: "-----BEGIN ".utf8)
  }

  private static func isXML(_ bytes: [UInt8]) -> Bool {
    ["<?xml", "<saml", "<Response", "<Assertion"].contains { bytes.starts(with: $0.utf8) }
  }
}
