import Arguments
import Primitives

/// The first message of a client that authenticates with a token by SASL, such as at a mail server.
struct SASLResponse: Sendable {
  /// The mechanisms that take a token.
  enum Mechanism: String, CaseIterable, Sendable {
    /// The standard (RFC 7628).
    case oauthBearer = "oauthbearer"
    /// Its precursor, which Google and Microsoft have.
    case xoauth2
  }

  /// Where the client connects to.
  struct Server: Sendable, Hashable, ArgumentValue {
    let host: String
    let port: UInt16

    static func reading(_ text: String) throws(ValueError) -> Server {
      guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst()),
        port > 0, let host = HostName.normalized(String(text[..<colon]))
      else { throw ValueError("expected HOST:PORT") }
      return Server(host: host, port: port)
    }
  }

  let user: String
  var mechanism = Mechanism.oauthBearer
  /// Part of the message of OAUTHBEARER only; `nil` leaves it out.
  var server: Server?

  /// The message in base64, as IMAP, SMTP and POP3 carry it.
  func encoded(_ token: String) -> String { Base64.encode(Array(message(token).utf8)) }

  private func message(_ token: String) -> String {
    let separator = "\u{1}"
    let authorization = "auth=Bearer \(token)\(separator)\(separator)"
    switch mechanism {
    case .xoauth2: return "user=\(user)\(separator)\(authorization)"
    case .oauthBearer:
      // RFC 5801 section 4: in a name of GS2, these two characters are escaped.
      let name = user.reduce(into: "") { $0 += $1 == "=" ? "=3D" : $1 == "," ? "=2C" : String($1) }
      let place = server.map { "host=\($0.host)\(separator)port=\($0.port)\(separator)" } ?? ""
      return "n,a=\(name),\(separator)\(place)\(authorization)"
    }
  }

  /// A name in which nothing ends a field of the message.
  static func user(_ text: String) throws(ValueError) -> String {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw ValueError("it has a control character")
    }
    return text
  }
}

/// `--sasl` and what belongs to it, as typed.
struct SASLArguments: Sendable {
  var user: String?
  var mechanism = SASLResponse.Mechanism.oauthBearer
  var server: SASLResponse.Server?

  /// The form of the token; `nil` without `--sasl`.
  var form: TokenForm? {
    user.map { .sasl(SASLResponse(user: $0, mechanism: mechanism, server: server)) }
  }
}

extension Token {
  static let saslOptions: [Option<Arguments>] = [
    .value(
      "sasl", nil, "USER", \.sasl.user, "Print the message with which a client authenticates",
      parse: SASLResponse.user
    )
    .exclusive("form").excludes("json", "field")
    .more(
      """
      In base64, for IMAP, SMTP and POP3 and other protocols with SASL. Programs that make the message \
      themselves, such as mbsync and msmtp, need the token alone.
      """),
    .choice("sasl-mechanism", nil, "MECHANISM", \.sasl.mechanism, "For this mechanism")
      .needs("sasl")
      .more("`oauthbearer` (RFC 7628, the default), or `xoauth2` of Google and Microsoft."),
    .value("sasl-server", nil, "HOST:PORT", \.sasl.server, "Name the server in the message")
      .needs("sasl"),
  ]
}
