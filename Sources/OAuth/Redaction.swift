package import HTTP
import JSON
import Primitives

extension String {
  /// The text without a secret, in whatever form it was quoted.
  ///
  /// Both are compared decoded: a byte of the secret may be unencoded, percent-encoded once or
  /// twice, escaped as in JSON, a character reference of HTML, or, if it is a space, `+`. Bytes are
  /// compared, not characters: a combining mark after the secret hides nothing.
  package func redacting(_ secret: String) -> String {
    let secret = Array(secret.utf8)
    guard let first = secret.first else { return self }
    let text = Array(utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var position = 0
    // Server and text may be hostile: a text that almost matches everywhere would take too long.
    var budget = 1 << 20
    while position < text.count {
      if budget < 0 {
        kept += "‹redacted›".utf8
        break
      }
      let mayBegin = text[position] == first || "%+\\&".utf8.contains(text[position])
      if mayBegin, let end = endOfMatch(of: secret, in: text, at: position, &budget) {
        kept += "‹redacted›".utf8
        position = end
      } else {
        kept.append(text[position])
        position += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

/// Where the longest form of the secret ends that begins at a position; `nil` if none does.
///
/// Every compared byte costs a unit of the budget; without one left there is no match.
private func endOfMatch(
  of secret: [UInt8], in text: [UInt8], at start: Int, _ budget: inout Int
) -> Int? {
  // A percent sign may be itself or begin an encoded byte, so that several ends are possible.
  var ends: Set<Int> = [start]
  for byte in secret {
    budget -= ends.count
    ends = Set(ends.flatMap { forms(of: byte, in: text, at: $0) })
    if ends.isEmpty || budget < 0 { return nil }
  }
  return ends.max()
}

/// The positions behind each form of one byte.
private func forms(of byte: UInt8, in text: [UInt8], at start: Int) -> [Int] {
  guard start < text.count else { return [] }
  var ends: [Int] = []
  if text[start] == byte || (byte == 0x20 && text[start] == UInt8(ascii: "+")) {
    ends.append(start + 1)
  }
  switch text[start] {
  case UInt8(ascii: "%"): break
  case UInt8(ascii: "\\"): return ends + endOfEscape(of: byte, in: text[start...])
  case UInt8(ascii: "&"): return ends + endOfReference(to: byte, in: text[start...])
  default: return ends
  }
  // `%41`, and `%2541` where a form was encoded again.
  for digits in text[start...].starts(with: "%25".utf8) ? [start + 1, start + 3] : [start + 1] {
    guard digits + 2 <= text.count, let high = text[digits].hexValue,
      let low = text[digits + 1].hexValue, high << 4 | low == byte
    else { continue }
    ends.append(digits + 2)
  }
  return ends
}

/// The position behind an escape of JSON that stands for the byte (RFC 8259 section 7); else nothing.
private func endOfEscape(of byte: UInt8, in text: ArraySlice<UInt8>) -> [Int] {
  let rest = text.dropFirst()
  guard let mark = rest.first else { return [] }
  if mark == UInt8(ascii: "u") {
    let digits = rest.dropFirst().prefix(4)
    let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    return digits.count == 4 && scalar == UInt32(byte) ? [digits.endIndex] : []
  }
  let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]
  let isItself = "\"\\/".utf8.contains(mark) && mark == byte
  return isItself || escapes[mark] == byte ? [rest.startIndex + 1] : []
}

/// The position behind a character reference that stands for the byte, such as `&amp;`, `&#39;` or
/// `&#x27;`; else nothing.
private func endOfReference(to byte: UInt8, in text: ArraySlice<UInt8>) -> [Int] {
  let rest = text.dropFirst().prefix(9)
  guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return [] }
  let word = String(decoding: rest[..<end], as: UTF8.self).asciiLowercased
  let named: [String: UInt32] = ["amp": 0x26, "apos": 0x27, "gt": 0x3E, "lt": 0x3C, "quot": 0x22]
  let scalar =
    word.hasPrefix("#x")
    ? UInt32(word.dropFirst(2), radix: 16)
    : word.hasPrefix("#") ? UInt32(word.dropFirst()) : named[word]
  return scalar == UInt32(byte) ? [end + 1] : []
}

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

/// Which parameters and header fields are secrets: the one list for errors and traces.
package enum SecretNames {
  /// Whether a parameter of a form, a query or a JSON object is a secret.
  package static func isSecret(parameter name: String) -> Bool {
    let name = name.asciiLowercased
    return parameters.contains(name) || (name.hasSuffix("token") && !cursors.contains(name))
      || isChosen(name)
      || ["csrf", "saml"].contains { name.containsText($0) }
  }

  /// Whether the value of a header field is a secret.
  package static func isSecret(field name: String) -> Bool {
    let name = name.asciiLowercased
    return fields.contains(name) || isChosen(name)
      || ["auth", "cookie", "session", "key", "token"].contains { name.containsText($0) }
  }

  /// Whether people or servers choose the value, so that it may have any length.
  ///
  /// The other secrets are long; to redact short ones would remove ordinary words.
  package static func isChosen(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return chosen.contains(name) || words.contains { name.containsText($0) }
  }

  /// The length of a secret that is so short that its redaction could reveal it.
  package static let short = 6

  private static let chosen: Set<String> = ["pin", "pw", "pass", "otp", "totp", "tan"]
  private static let words = [
    "password", "secret", "passwd", "passphrase", "passcode", "pwd", "api_key", "apikey", "api-key",
  ]
  private static let parameters: Set<String> = [
    "code", "assertion", "device_code", "code_verifier", "client_assertion", "id_token_hint",
    "request", "response", "d", "k", "sessionid", "dispatchtokenresponse",
  ]
  /// Positions in a list, which a person needs to go on with it.
  private static let cursors: Set<String> = [
    "pagetoken", "page_token", "nexttoken", "next_token", "nextpagetoken", "next_page_token",
    "continuationtoken", "continuation_token", "continuation-token", "skiptoken", "$skiptoken",
  ]
  private static let fields: Set<String> = ["dpop", "dpop-nonce"]
}
