import HTTP
import Primitives
import SDKCore

/// The attributes of git's credential protocol (gitcredentials(7), git-credential(1)).
struct GitCredential {
  private(set) var scheme = ""
  private(set) var host = ""
  private(set) var username: String?
  private(set) var password: String?
  private(set) var credential: String?
  private var capabilities: [String] = []
  private var challenges: [String] = []

  /// Reads `key=value` lines up to an empty line; unknown keys are ignored.
  init(_ text: String) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard !line.isEmpty else { break }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      take(
        String(Substring(line[..<equals])),
        String(Substring(line[line.index(after: equals)...])))
    }
  }

  private mutating func take(_ key: String, _ value: String) {
    switch key {
    case "protocol": scheme = value
    case "host": host = value
    case "username": username = value
    case "password": password = value
    case "credential": credential = value
    case "capability[]": capabilities.append(value)
    case "wwwauth[]": challenges.append(value)
    case "url":
      guard let url = try? HTTPURL(value) else { return }
      (scheme, host) = (url.scheme.rawValue, url.authority)
    // Git clears a list by an empty value.
    default: break
    }
    if key == "wwwauth[]", value.isEmpty { challenges = [] }
  }

  /// What was refused, when git asks to erase it.
  var refused: String? { password ?? credential }

  /// Whether git can send a bearer token, and the server has said that it accepts one.
  private var takesBearer: Bool {
    guard capabilities.contains("authtype") else { return false }
    return challenges.isEmpty
      || challenges.contains { $0.asciiLowercased.hasPrefix("bearer") }
  }

  /// The response to `get`.
  func response(_ tokens: TokenSet, username: String) -> String {
    var lines =
      takesBearer
      ? ["capability[]=authtype", "authtype=Bearer", "credential=\(tokens.accessToken)"]
      : ["username=\(self.username ?? username)", "password=\(tokens.accessToken)"]
    if let expires = tokens.expires { lines.append("password_expiry_utc=\(expires.seconds)") }
    if takesBearer { lines.append("ephemeral=1") }
    return lines.map { $0 + "\n" }.joined()
  }
}
