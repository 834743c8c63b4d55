import Pinning
import Primitives
import SDKCore

extension Failure {
  /// A pattern that has no pins, or does not have this one; the hint lists the pins.
  static func notPinned(
    _ pattern: PinPattern, _ profile: ProfileName, _ pin: Pin? = nil
  ) -> Failure {
    let wanted = pin.map { "the pin \($0) of \(pattern)" } ?? "pins for \(pattern)"
    return Failure(
      .pin, .notPinned, "could not find \(wanted)",
      hints: [ShellWord.sdkctl(of: profile, "pin", "list")])
  }
}

extension ProfileSession {
  /// The set of exactly that pattern, which is to be changed; that of a wider one must be named.
  func set(of pattern: PinPattern) throws -> PinSet {
    guard let set = pins[pattern] else {
      var failure = Failure.notPinned(pattern, profile.name)
      let wide = pins.meant(pattern)
      if wide != pattern { failure.details = ["only '\(wide)' has pins"] }
      throw failure
    }
    return set
  }
}

extension Failure {
  /// A text that was typed as a host but is not one, with the reason if an international name is refused.
  ///
  /// - Parameters:
  ///   - text: the host, with or without scheme, pattern, port and path.
  ///   - noun: what it should be.
  /// - Returns: the error, with the exit status of a wrong command line.
  static func notHost(
    _ text: String, noun: String = "a host name"
  ) -> Failure {
    .usage(
      "'\(text)' is not \(noun)\(clause(about: text))",
      hints: text == "-"
        ? ["`@-` reads a list of hosts from standard input"]
        : startTLSSchemes.contains { text.hasPrefix("\($0)://") } ? [Replacement.startTLS] : [])
  }

  /// The schemes of servers that begin TLS by STARTTLS.
  private static let startTLSSchemes = ["smtp", "imap", "pop3", "ldap", "postgres", "xmpp"]

  /// Why the international name in such a text is refused; empty for other texts.
  static func clause(about text: String) -> String {
    InternationalName.isMeant(by: text) ? InternationalName.clause(about: host(of: text)) : ""
  }

  private static func host(of text: String) -> String {
    let marks: [Unicode.Scalar] = ["/", "?", "#", ":"]
    let scalars = text.unicodeScalars
    var rest = scalars[...]
    if let colon = scalars.firstIndex(of: ":"), scalars[colon...].starts(with: "://".unicodeScalars)
    {
      rest = scalars[scalars.index(colon, offsetBy: 3)...]
    }
    let host = String(rest.prefix { !marks.contains($0) })
    return String(host.drop { $0 == "*" }.drop { $0 == "." })
  }
}
