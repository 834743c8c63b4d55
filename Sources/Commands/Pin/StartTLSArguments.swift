import Arguments
import Pinning
import SDKCore

/// The arguments of a command that connects to the hosts which it names.
protocol StartTLSArguments: CommandArguments {
  var startTLS: StartTLS? { get set }
}

extension Option where Arguments: StartTLSArguments {
  /// `--starttls`.
  static var startTLS: Self {
    .choice(
      "starttls", nil, "PROTOCOL", \.startTLS,
      "Begin TLS in smtp, imap, pop3, ldap, postgres or xmpp"
    )
    .more(
      """
      The same as a URL such as `smtp://mail.example.com`; the default port is that of the protocol. \
      The server is connected to directly, without a proxy, and no data but the request for TLS is sent.
      """)
  }
}

extension PinEndpoint {
  /// Reads a host as it is typed, beside `--starttls`.
  ///
  /// - Throws: ``Failure`` for anything else, and for the URL of another protocol.
  static func reading(_ text: String, _ startTLS: StartTLS?) throws -> PinEndpoint {
    guard let place = PinEndpoint(text, startTLS) else {
      if let startTLS, PinEndpoint(text) != nil {
        throw Failure.usage(
          "'\(text)' is not a server of \(startTLS.rawValue), which --starttls names")
      }
      throw Failure.notHost(text)
    }
    return place
  }
}
