import Pinning
import Primitives

/// What is said on a connection before its TLS handshake; a value, without a connection.
///
/// Everything that a server says here is unprotected: it decides only whether TLS begins, and nothing of
/// it is used after that.
struct StartTLSDialogue {
  /// What is to be done next.
  enum Action: Hashable {
    case send([UInt8])
    /// Receive at most so many bytes.
    case receive(Int)
    case begin
    /// The cause, after the name of the server.
    case refuse(String)
  }

  /// What a part of a dialogue makes of the bytes that have been received.
  enum Reply: Hashable {
    case incomplete
    /// The server goes along; so many bytes were its reply.
    case accepted(Int)
    case refused(String)
  }

  /// A part of a dialogue.
  enum Part {
    case say(String)
    case sayBytes([UInt8])
    case await(@Sendable ([UInt8]) -> Reply)
  }

  /// The most that a server may say before TLS.
  static let limit = 16 << 10

  private var parts: ArraySlice<Part>
  private var received: [UInt8] = []
  private var count = 0

  /// Begins a dialogue.
  ///
  /// - Parameters:
  ///   - startTLS: the protocol.
  ///   - host: the name of the server.
  ///   - client: the address of this machine on the connection.
  init(_ startTLS: StartTLS, host: String, client: IPAddress?) {
    parts = Self.parts(startTLS, host: host, client: client)[...]
  }

  mutating func next() -> Action {
    switch parts.first {
    case .say(let text):
      parts.removeFirst()
      return .send(Array(text.utf8))
    case .sayBytes(let bytes):
      parts.removeFirst()
      return .send(bytes)
    case .await(let reply):
      switch received.isEmpty ? .incomplete : reply(received) {
      case .accepted(let length):
        received.removeFirst(length)
        parts.removeFirst()
        return next()
      case .refused(let cause): return .refuse(cause)
      case .incomplete where count >= Self.limit:
        return .refuse("sent more than \(Self.limit) bytes before TLS")
      case .incomplete: return .receive(Self.limit - count)
      }
    case nil:
      // Somebody on the way may have added it, so that it is taken for something that TLS protects.
      return received.isEmpty ? .begin : .refuse("sent data between its agreement and TLS")
    }
  }

  mutating func receive(_ bytes: [UInt8]) {
    received += bytes
    count += bytes.count
  }

  /// The dialogues of all protocols.
  private static func parts(
    _ startTLS: StartTLS, host: String, client: IPAddress?
  ) -> [Part] {
    switch startTLS {
    case .smtp:
      [
        .await { StartTLSReplies.smtp($0, "220") },
        // The address of the client is its name, as RFC 5321 section 4.1.3 has it.
        .say("EHLO \(client.map(StartTLSReplies.literal) ?? "localhost")\r\n"),
        .await { StartTLSReplies.smtp($0, "250", offering: "STARTTLS") },
        .say("STARTTLS\r\n"),
        .await { StartTLSReplies.smtp($0, "220") },
      ]
    case .imap:
      [
        .await { StartTLSReplies.line($0, "* OK") }, .say("a STARTTLS\r\n"),
        .await { StartTLSReplies.line($0, "a OK", after: "* ") },
      ]
    case .pop3:
      [
        .await { StartTLSReplies.line($0, "+OK") }, .say("STLS\r\n"),
        .await { StartTLSReplies.line($0, "+OK") },
      ]
    case .ldap: [.sayBytes(StartTLSReplies.ldapRequest), .await(StartTLSReplies.ldap)]
    case .postgres:
      // SSLRequest: its length, and a number in place of a version of the protocol.
      [.sayBytes([0, 0, 0, 8, 4, 210, 22, 47]), .await(StartTLSReplies.postgres)]
    case .xmpp:
      [
        .say(
          "<?xml version='1.0'?><stream:stream to='\(host)' version='1.0' xmlns='jabber:client' "
            + "xmlns:stream='http://etherx.jabber.org/streams'>"),
        .await {
          StartTLSReplies.xmpp($0, through: "</stream:features>", naming: StartTLSReplies.xmppTLS)
        },
        .say("<starttls xmlns='\(StartTLSReplies.xmppTLS)'/>"),
        .await { StartTLSReplies.xmpp($0, through: ">", naming: "<proceed") },
      ]
    }
  }
}
