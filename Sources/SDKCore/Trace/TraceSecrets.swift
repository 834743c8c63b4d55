import HTTP
import OAuth
import Primitives
import Synchronization

/// The secrets that a session has sent or received, which no line of its trace may show.
final class TraceSecrets: Sendable {
  private let known = Mutex<Set<String>>([])
  /// Names of parameters and header fields that a profile or a page says are secrets.
  private let names: Mutex<Set<String>>

  /// Adds names of parameters and header fields that are secrets, to the usual ones.
  init(names: [String] = []) { self.names = Mutex(Set(names.map(\.asciiLowercased))) }

  /// Remembers that a parameter is a secret, whatever its name looks like.
  func learn(parameter name: String) {
    _ = names.withLock { $0.insert(name.asciiLowercased) }
  }

  /// Remembers a secret; those of a few characters would remove ordinary words.
  func learn(_ secret: String) {
    guard secret.utf8.count >= 6 else { return }
    _ = known.withLock { $0.insert(secret) }
  }

  /// The text without all known secrets.
  func redacted(_ text: String) -> String {
    // The longest first, because one may contain another.
    let secrets = known.withLock { $0 }.sorted { $0.utf8.count > $1.utf8.count }
    return secrets.reduce(text) { $1.utf8.count <= $0.utf8.count ? $0.redacting($1) : $0 }
  }

  /// The text that replaces a secret.
  static let mark = "‹redacted›"

  /// Whether a parameter of a form, a query or a JSON object is a secret.
  func isSecret(parameter name: String) -> Bool {
    let name = name.asciiLowercased
    return Self.parameters.contains(name) || name.hasSuffix("token")
      || (Self.words + ["passphrase", "passcode", "pwd", "csrf", "saml"]).contains {
        name.containsText($0)
      } || names.withLock { $0.contains(name) }
  }

  /// Whether a member of a JSON object is a secret: `code` and the like are ordinary words there.
  func isSecret(member name: String) -> Bool {
    if names.withLock({ $0.contains(name.asciiLowercased) }) { return true }
    return !["code", "request", "response", "pin", "pass", "tan"].contains(name)
      && isSecret(parameter: name)
  }

  /// Whether the value of a header field is a secret.
  func isSecret(field name: String) -> Bool {
    let name = name.asciiLowercased
    return Self.fields.contains(name)
      || (Self.words + ["auth", "cookie", "session", "key", "token"]).contains {
        name.containsText($0)
      } || names.withLock { $0.contains(name) }
  }

  private static let parameters: Set<String> = [
    "code", "assertion", "access_token", "refresh_token", "id_token", "token", "subject_token",
    "actor_token", "device_code", "code_verifier", "client_assertion", "id_token_hint", "request",
    "response", "logout_token", "pin", "d", "k", "pw", "pass", "otp", "totp", "tan",
  ]
  private static let words = ["password", "secret", "passwd", "api_key", "apikey", "api-key"]
  private static let fields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "dpop", "dpop-nonce",
  ]
}
