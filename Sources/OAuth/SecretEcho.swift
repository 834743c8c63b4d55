import HTTP
import JOSE
import JSON
import Primitives

/// Removes the secrets of a request from the server's error texts.
///
/// Some servers quote the request in their error descriptions.
struct SecretEcho {
  /// The longest first, because one may contain another.
  private let secrets: [String]
  /// Whether one of them is so short that its redaction would reveal it.
  private let hasShort: Bool

  init(of request: HTTPRequest) {
    // Secrets that people choose, or servers issue, may have any length.
    var chosen: [String] = []
    // The others are long; redacting short ones would remove ordinary words.
    var others: [String] = []
    if case .bytes(let body) = request.body {
      let form = FormParameters(encoded: String(decoding: body, as: UTF8.self)) ?? [:]
      chosen = form.filter { Self.chosen.contains($0.name) }.map(\.value)
      others = form.filter { Self.names.contains($0.name) }.map(\.value)
      // A client that changes its registration sends its secret again (RFC 7592 section 2.2).
      chosen += [(try? JSON(parsing: body))?["client_secret"]?.string].compactMap { $0 }
    }
    if let field = request.fields["Authorization"] {
      let words = field.split(separator: " ").map { String($0) }
      others += words.suffix(1)
      if words.first?.asciiLowercased == "basic", let pair = words.last.flatMap(BasicPair.init) {
        chosen += pair.secrets
        others += pair.names
      }
    }
    if let proof = request.fields["DPoP"] { others.append(proof) }
    chosen.removeAll { $0.isEmpty }
    hasShort = chosen.contains { $0.utf8.count < Self.short }
    secrets = (chosen + others.filter { $0.utf8.count >= Self.short })
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// The server's error code; those of the specifications are never redacted.
  func code(_ text: String) -> String { Self.codes.contains(text) ? text : redacted(text) }

  /// The server's description; `nil` if redaction could not hide a short secret.
  func description(_ text: String) -> String? { hasShort ? nil : redacted(text) }

  func redacted(_ text: String) -> String {
    secrets.reduce(text) { $0.redacting($1) }
  }

  private static let short = 6
  private static let chosen: Set<String> = ["password", "client_secret"]
  private static let names: Set<String> = [
    "refresh_token", "code", "code_verifier", "client_assertion", "token", "subject_token",
    "actor_token", "assertion", "device_code", "id_token_hint", "request",
  ]
  private static let codes: Set<String> = [
    "access_denied", "authorization_pending", "consent_required", "expired_token",
    "insufficient_scope", "interaction_required", "invalid_authorization_details",
    "invalid_client", "invalid_client_metadata", "invalid_dpop_proof", "invalid_grant",
    "invalid_redirect_uri", "invalid_request", "invalid_request_object", "invalid_request_uri",
    "invalid_scope", "invalid_software_statement", "invalid_target", "invalid_token",
    "login_required", "server_error", "slow_down", "temporarily_unavailable",
    "unapproved_software_statement", "unauthorized_client", "unsupported_grant_type",
    "unsupported_response_type", "unsupported_token_type", "use_dpop_nonce",
  ]
}

/// The halves of a Basic credential, as they were sent and form-decoded (RFC 6749 section 2.3.1).
private struct BasicPair {
  let names: [String]
  let secrets: [String]

  init?(_ credential: String) {
    guard let bytes = Base64.decode(credential.utf8),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    names = Self.forms(of: bytes[..<colon])
    secrets = Self.forms(of: bytes[colon...].dropFirst())
  }

  private static func forms(of half: ArraySlice<UInt8>) -> [String] {
    let text = String(decoding: half, as: UTF8.self)
    let decoded = FormParameters(encoded: "=" + text)?[""]
    return [text] + (decoded.map { $0 == text ? [] : [$0] } ?? [])
  }
}
