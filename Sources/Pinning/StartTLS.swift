/// A protocol that begins without TLS, and changes to it on the same connection.
public enum StartTLS: String, Sendable, Hashable, CaseIterable {
  /// Mail transfer and submission (RFC 3207).
  case smtp
  /// Mail access (RFC 9051).
  case imap
  /// Mail access (RFC 2595).
  case pop3
  /// Directories (RFC 4511 section 4.14).
  case ldap
  /// PostgreSQL (its protocol, section "SSL Session Encryption").
  case postgres
  /// Messages between clients and servers (RFC 6120 section 5).
  case xmpp

  /// The port of the protocol.
  public var defaultPort: UInt16 {
    switch self {
    case .smtp: 25
    case .imap: 143
    case .pop3: 110
    case .ldap: 389
    case .postgres: 5432
    case .xmpp: 5222
    }
  }

  /// The protocol of servers at a well-known port; `nil` if the port is not one of them.
  public init?(port: UInt16) {
    // Mail is submitted at 587 (RFC 6409).
    let port = port == 587 ? Self.smtp.defaultPort : port
    guard let found = Self.allCases.first(where: { $0.defaultPort == port }) else { return nil }
    self = found
  }
}
