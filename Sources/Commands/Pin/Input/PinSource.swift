import Arguments
import HTTP
import JSON
import POSIX
import Pinning
import Primitives
import SDKCore

/// Where the key of a pin is: a pin itself, a file or a server.
enum PinSource: Sendable, Hashable {
  case pin(Pin)
  /// The path of a file; `-` is standard input.
  case file(String)
  case server(PinEndpoint)

  init(_ text: String) throws {
    if let pin = Pin(text) {
      self = .pin(pin)
    } else if text == "-" || Self.isFile(text) {
      self = .file(text)
    } else if let place = PinEndpoint(text) {
      self = .server(place)
    } else {
      throw Failure.notHost(text, noun: "a host name, a file or a pin")
    }
  }

  /// Whether a text is a path.
  ///
  /// The ending of a key file is no domain, so that a file that does not exist is not looked up as a host.
  private static func isFile(_ text: String) -> Bool {
    guard !text.containsText("://") else { return false }
    return text.contains("/") || FileStatus.exists(text)
      || text.asciiLowercased.hasSuffix(".txt") || hasEnding(text, endings)
  }

  /// Whether the name of a file is one of keys or certificates; `.pub` may also end the name of a host.
  static func isNamedAsKey(_ name: String) -> Bool { hasEnding(name, endings + [".pub"]) }

  private static func hasEnding(_ name: String, _ endings: [String]) -> Bool {
    endings.contains { name.asciiLowercased.hasSuffix($0) }
  }

  private static let endings = [
    ".pem", ".crt", ".cer", ".der", ".key", ".csr", ".p7b", ".p7c", ".p12", ".pfx", ".jwk",
  ]
}

extension Context {
  /// Refuses pins that are other hashes of the certificates at hand.
  func refuseMistakes(
    _ pins: [Pin], among certificates: [CertificateDetails]
  ) throws {
    let mistakes = certificates.flatMap { $0.mistakes(among: pins).map(\.text) }.uniqued()
    guard let first = mistakes.first else { return }
    var failure = Failure.usage("could not use a pin: \(first)")
    failure.details = Array(mistakes.dropFirst())
    throw failure
  }
}

/// Lists of hosts, which an operand names as `@FILE`; `@-` is standard input.
extension Context {
  /// The words of each line of a list, without comments (`#`); a line without words is left out.
  func lines(ofList file: some StringProtocol) throws -> [(number: Int, words: [String])] {
    let bytes = try read(String(file), "the list of hosts", limit: 1 << 24)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.usage("could not read the list of hosts: it is not UTF-8")
    }
    return text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated()
      .compactMap { index, line in
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }.prefix {
          !$0.hasPrefix("#")
        }
        return words.isEmpty ? nil : (index + 1, words.map(String.init))
      }
  }

  /// The words, with those of the list in place of each `@FILE`.
  func expanded(_ words: [String]) throws -> [String] {
    try words.flatMap { word in
      word.hasPrefix("@") ? try lines(ofList: word.dropFirst()).flatMap(\.words) : [word]
    }
  }
}

extension PinEndpoint {
  /// Reads `HOST`, `HOST:PORT` or a URL; `nil` for anything else.
  init?(_ text: String) {
    let (scheme, rest) = Self.split(text)
    guard scheme != nil || !rest.contains("/") else { return nil }
    if scheme == nil || scheme == "https" || scheme == "http" {
      guard let url = try? HTTPURL("\(scheme ?? "https")://\(rest)"),
        scheme != nil || url.target == "/"
      else { return nil }
      self.init(url)
      return
    }
    guard let port = Self.schemes[scheme ?? ""], let url = try? HTTPURL("https://\(rest)") else {
      return nil
    }
    self.init(host: url.host, port: Self.namesPort(rest) ? url.port : port)
  }

  /// Whether a text that names a server names its port too.
  static func namesPort(in text: String) -> Bool { namesPort(split(text).rest) }

  /// The schemes of servers besides those of the web that begin with TLS, with their ports.
  private static let schemes: [String: UInt16] = [
    "smtps": 465, "imaps": 993, "pop3s": 995, "ldaps": 636, "xmpps": 5223,
  ]

  private static func split(_ text: String) -> (scheme: String?, rest: String) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return (nil, text)
    }
    return (text[..<colon].asciiLowercased, String(text[colon...].dropFirst(3)))
  }

  /// Whether a port stands in what follows the scheme: then it is not that of the scheme.
  private static func namesPort(_ rest: String) -> Bool {
    let urls = ["https", "http"].compactMap { try? HTTPURL("\($0)://\(rest)") }
    return urls.count == 2 && urls[0].port == urls[1].port
  }

  func with(port: UInt16) -> PinEndpoint { PinEndpoint(host: host, port: port, address: address) }

  /// The name with the address, if only that is meant.
  var place: String { name + at }

  /// The same for people: with the U-labels of an international name.
  var shown: String { name.shown(withLabelsOf: host) + at }

  private var at: String { address.map { " at \($0)" } ?? "" }

  var shownHost: String { host.shown(withLabelsOf: host) }
}

extension PinPattern {
  /// The pattern for people: with the U-labels of an international name.
  var shown: String { description.shown(withLabelsOf: host) }
}

extension String {
  fileprivate func shown(withLabelsOf host: String) -> String {
    InternationalName.unicode(host).map { "\(self) (\($0))" } ?? self
  }
}

struct ShownHost: OutputValue {
  let host: String
  let name: String
  let shown: String

  init(_ endpoint: PinEndpoint) {
    (host, name, shown) = (
      endpoint.host, endpoint.name, endpoint.name.shown(withLabelsOf: endpoint.host)
    )
  }

  init(_ pattern: PinPattern) {
    let proxy = pattern.isProxy ? "proxy " : ""
    (host, name, shown) = (pattern.description, proxy + pattern.description, proxy + pattern.shown)
  }

  /// What is no host.
  init(_ name: String) { (host, self.name, shown) = (name, name, name) }

  static let meaning = "the host; in lines with its port, unless that is 443"

  var json: JSON { .string(host) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    .init(now == nil ? self.name : shown)
  }
}

extension PinPattern {
  /// Reads what a person types: a pattern, or the URL of a host.
  ///
  /// A pattern names a port only if it is meant for that port alone; a URL of the web never does.
  init?(argument text: String) {
    guard text.containsText("://") else {
      self.init(text)
      return
    }
    guard let place = PinEndpoint(text) else { return nil }
    let isOfWeb = ["https://", "http://"].contains { text.asciiLowercased.hasPrefix($0) }
    self.init(host: place.host, port: isOfWeb ? nil : place.port)
  }

  func with(port: UInt16) -> PinPattern {
    PinPattern(host: host, subdomains: subdomains, port: port, isProxy: isProxy) ?? self
  }

  /// The same pattern for HTTPS proxies, or for the servers behind them.
  func of(proxy isProxy: Bool) -> PinPattern {
    PinPattern(host: host, subdomains: subdomains, port: port, isProxy: isProxy) ?? self
  }
}

extension PinPattern: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> PinPattern {
    guard let pattern = PinPattern(text) else {
      throw ValueError(
        "not a host, *.HOST or **.HOST, with or without :PORT"
          + Failure.clause(about: text))
    }
    return pattern
  }
}

extension Failure {
  /// A pattern that has no pins, or does not have this one; the hint lists the pins.
  static func notPinned(
    _ pattern: PinPattern, _ profile: ProfileName, _ pin: Pin? = nil
  ) -> Failure {
    let wanted = pin.map { "the pin \($0) of \(pattern)" } ?? "pins for \(pattern)"
    return Failure(
      .notPinned, "could not find \(wanted)", hints: [ShellWord.sdkctl(of: profile, "pin", "list")])
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
