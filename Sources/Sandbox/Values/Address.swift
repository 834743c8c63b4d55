/// The parts of an absolute address that redirect rules need.
struct Address: Sendable, Equatable {
  let scheme: String
  /// Host in lower case, IPv6 in its brackets; empty for a private-use scheme.
  let host: String
  let port: Int?
  /// Path and query.
  let rest: String

  /// Reads `scheme:rest`; a fragment, white space or a user name is refused.
  init?(_ text: String) {
    guard !text.contains("#"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    scheme = text[..<colon].lowercased()
    guard let first = scheme.first, first.isLetter,
      scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
    else { return nil }
    let tail = text[text.index(after: colon)...]
    guard tail.hasPrefix("//") else {
      host = ""
      port = nil
      rest = String(tail)
      return
    }
    let authorityAndRest = tail.dropFirst(2)
    let end = authorityAndRest.firstIndex { "/?".contains($0) } ?? authorityAndRest.endIndex
    let authority = authorityAndRest[..<end].lowercased()
    rest = String(authorityAndRest[end...])
    guard !authority.contains("@") else { return nil }
    let hostEnd =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map(authority.index(after:))
      : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let hostEnd else { return nil }
    host = String(authority[..<hostEnd])
    let portText = authority[hostEnd...].dropFirst()
    port = Int(portText)
    if !portText.isEmpty, port == nil { return nil }
  }

  var isLoopback: Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }

  /// What a content security policy names to let a form lead here.
  var formTarget: String {
    guard !host.isEmpty, !host.hasPrefix("[") else { return "\(scheme):" }
    return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
  }

  /// Whether a requested redirect address is the registered one: equal, or equal but for the
  /// port when both are plain HTTP on loopback (RFC 8252 section 7.3).
  static func matches(registered: String, requested: String) -> Bool {
    if registered == requested { return true }
    guard let one = Address(registered), let other = Address(requested) else { return false }
    return one.scheme == "http" && other.scheme == "http" && one.isLoopback
      && one.host == other.host && one.rest == other.rest
  }
}
