package import HTTP
import JSON
import Primitives

/// Removes the secrets of a request from the server's error texts.
///
/// Some servers quote the request in their error descriptions.
package struct SecretEcho {
  /// The longest first, because one may contain another.
  private let secrets: [String]
  /// Whether one of them is so short that its redaction would reveal it.
  private let hasShort: Bool

  /// Finds the secrets of a request; `names` are those of further parameters that are secrets.
  package init(of request: HTTPRequest, naming names: [String] = []) {
    var (chosen, others): ([String], [String]) = ([], [])
    if case .bytes(let body) = request.body {
      let form = FormParameters(encoded: String(decoding: body, as: UTF8.self)) ?? [:]
      for parameter in form
      where SecretNames.isSecret(parameter: parameter.name) || names.contains(parameter.name) {
        if names.contains(parameter.name) || SecretNames.isChosen(parameter.name) {
          chosen.append(parameter.value)
        } else {
          others.append(parameter.value)
        }
      }
      // A client that changes its registration sends its secret again (RFC 7592 section 2.2).
      for (name, value) in (try? JSON(parsing: body))?.object ?? [:]
      where SecretNames.isChosen(name) {
        if let text = value.string { chosen.append(text) }
      }
    }
    for field in request.fields where SecretNames.isSecret(field: field.name) {
      others += field.value.words.suffix(1)
      if let pair = BasicPair(field: field.value) {
        chosen += pair.secrets
        others += pair.names
      }
    }
    chosen.removeAll { $0.isEmpty }
    hasShort = chosen.contains { $0.utf8.count < SecretNames.short }
    secrets = (chosen + others.filter { $0.utf8.count >= SecretNames.short })
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// The server's error code; those of the specifications are never redacted.
  func code(_ text: String) -> String { Self.codes.contains(text) ? text : redacted(text) }

  /// The server's description; `nil` if redaction could not hide a short secret.
  package func description(_ text: String) -> String? { hasShort ? nil : redacted(text) }

  func redacted(_ text: String) -> String {
    secrets.reduce(text) { $0.redacting($1) }
  }

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
package struct BasicPair {
  /// The forms of the user name or client id.
  package let names: [String]
  /// The forms of the password or client secret.
  package let secrets: [String]

  /// Reads the value of a field such as `Authorization`; `nil` if it is not a Basic credential.
  package init?(field value: String) {
    let words = value.words
    guard words.count == 2, words[0].asciiLowercased == "basic",
      let bytes = Base64.decode(words[1].utf8),
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
