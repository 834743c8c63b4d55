import Primitives
import SDKCore

/// The attributes of git's credential protocol (gitcredentials(7), git-credential(1)).
struct GitCredential {
  /// The server, as `SCHEME://HOST[:PORT]`; `nil` without one of both.
  var server: String? {
    let isWhole = !scheme.isEmpty && !host.isEmpty && !host.utf8.contains(UInt8(ascii: "/"))
    return isWhole ? "\(scheme)://\(host)" : nil
  }

  private var scheme = ""
  private var host = ""
  private(set) var username: String?
  private(set) var password: String?
  private(set) var credential: String?
  private var capabilities: [String] = []
  private var challenges: [String] = []

  /// Reads `key=value` lines up to an empty line; unknown keys are ignored.
  ///
  /// - Throws: a failure for a value with a control character, which git and its helpers would read in
  ///   different ways (CVE-2020-5260, CVE-2024-52006).
  init(_ text: String) throws {
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard !line.isEmpty else { break }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = line[line.index(after: equals)...]
      guard !value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        let name = VisibleText.quoted(String(Substring(line[..<equals])))
        throw Failure(
          .inputInvalid, "could not read the request of git: \(name) has a control character")
      }
      take(String(Substring(line[..<equals])), String(Substring(value)))
    }
  }

  private mutating func take(_ key: String, _ value: String) {
    switch key {
    // The last one counts, as in git.
    case "protocol": scheme = value
    case "host": host = value
    case "username": username = value
    case "password": password = value
    case "credential": credential = value
    case "capability[]": capabilities.append(value)
    // Git clears a list by an empty value.
    case "wwwauth[]": challenges = value.isEmpty ? [] : challenges + [value]
    case "url":
      let parts = value.utf8.split(
        separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
      let isURL = parts.count > 2 && parts[0].last == UInt8(ascii: ":") && parts[1].isEmpty
      scheme = isURL ? String(Substring(parts[0].dropLast())) : ""
      host = isURL ? String(Substring(parts[2])) : ""
    default: break
    }
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
