import Pinning
import Primitives
import Testing

@testable import Curl

@Suite("The dialogue before TLS")
struct StartTLSDialogueTests {
  /// Goes through a dialogue with these replies; returns what was sent, and how it ended.
  private static func run(
    _ startTLS: StartTLS, _ replies: [[UInt8]], client: String? = "192.0.2.1"
  ) -> (sent: [[UInt8]], end: StartTLSDialogue.Action) {
    var dialogue = StartTLSDialogue(
      startTLS, host: "a.test", client: client.flatMap { IPAddress($0) })
    var (sent, replies) = ([[UInt8]](), replies[...])
    while true {
      let action = dialogue.next()
      switch action {
      case .send(let bytes): sent.append(bytes)
      case .receive:
        guard let reply = replies.popFirst() else { return (sent, action) }
        dialogue.receive(reply)
      case .begin, .refuse: return (sent, action)
      }
    }
  }

  private static let good: [(StartTLS, [String])] = [
    (.smtp, ["220-hi\r\n220 mail\r\n", "250-mail\r\n250-starttls\r\n250 HELP\r\n", "220 go\r\n"]),
    (.imap, ["* OK hi\r\n", "* CAPABILITY IMAP4rev1\r\na ok go\r\n"]),
    (.pop3, ["+OK hi\r\n", "+ok go\r\n"]),
    (.postgres, ["S"]),
    (.ldap, ["0\u{0c}\u{02}\u{01}\u{01}x\u{07}\u{0a}\u{01}\u{00}\u{04}\u{00}\u{04}\u{00}"]),
    (
      .xmpp,
      [
        "<?xml version='1.0'?><stream:stream id='1'><stream:features>"
          + "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>",
        "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
      ]
    ),
  ]

  @Test("begins TLS after the replies of each protocol, whole or byte by byte", arguments: good)
  func begins(_ startTLS: StartTLS, _ replies: [String]) {
    let bytes = replies.map { Array($0.utf8) }
    #expect(Self.run(startTLS, bytes).end == .begin)
    #expect(Self.run(startTLS, bytes.flatMap { $0.map { [$0] } }).end == .begin)
    // What is missing at the end is waited for.
    let short = Array(bytes.dropLast()) + [Array(bytes[bytes.count - 1].dropLast())]
    guard case .receive = Self.run(startTLS, short).end else {
      Issue.record("\(startTLS) did not wait")
      return
    }
  }

  @Test("refuses bytes between the agreement and TLS", arguments: good)
  func refusesInjection(_ startTLS: StartTLS, _ replies: [String]) {
    var bytes = replies.map { Array($0.utf8) }
    bytes[bytes.count - 1].append(UInt8(ascii: "x"))
    #expect(
      Self.run(startTLS, bytes).end == .refuse("sent data between its agreement and TLS"))
  }

  private static let bad: [(StartTLS, [String], String)] = [
    (.smtp, ["554 no\r\n"], "refused TLS: 554 no"),
    (.smtp, ["2200 no\r\n"], "refused TLS: 2200 no"),
    (.smtp, ["220 hi\r\n", "250 mail\r\n"], "does not offer STARTTLS"),
    (.smtp, ["220 hi\r\n", "250-mail\r\n500 STARTTLS\r\n"], "refused TLS: 500 STARTTLS"),
    (.smtp, ["220 hi\r\n", "250 STARTTLS\r\n", "454 \u{1b}[m\r\n"], "refused TLS: 454 \\1B[m"),
    (.imap, ["* PREAUTH hi\r\n"], "refused TLS: * PREAUTH hi"),
    (.imap, ["* OK\r\n", "b OK\r\n"], "refused TLS: b OK"),
    (.pop3, ["-ERR\r\n"], "refused TLS: -ERR"),
    (.postgres, ["N"], "does not offer TLS"),
    (.postgres, ["E"], "does not speak PostgreSQL"),
    (.ldap, ["1"], "does not speak LDAP"),
    (
      .ldap, ["0\u{0c}\u{02}\u{01}\u{01}x\u{07}\u{0a}\u{01}\u{02}\u{04}\u{00}\u{04}\u{00}"],
      "refused TLS"
    ),
    (
      .ldap, ["0\u{0c}\u{02}\u{01}\u{02}x\u{07}\u{0a}\u{01}\u{00}\u{04}\u{00}\u{04}\u{00}"],
      "refused TLS"
    ),
    (.xmpp, ["HTTP/1.1 400"], "does not speak XMPP"),
    (.xmpp, ["<stream:error/>"], "refused TLS"),
    (.xmpp, ["<stream:features></stream:features>"], "does not offer TLS"),
    (.xmpp, [good[5].1[0], "<failure/>"], "refused TLS"),
    (.xmpp, [good[5].1[0], "<message/>"], "does not offer TLS"),
  ]

  @Test("says why a server does not begin TLS", arguments: bad)
  func refuses(_ startTLS: StartTLS, _ replies: [String], _ cause: String) {
    #expect(Self.run(startTLS, replies.map { Array($0.utf8) }).end == .refuse(cause))
  }

  @Test("ends a server that goes on and on", arguments: StartTLS.allCases)
  func isBounded(_ startTLS: StartTLS) {
    let line: [UInt8] =
      switch startTLS {
      case .smtp: Array("220-more\r\n".utf8)
      case .xmpp: Array("<more/>".utf8)
      case .ldap: [0x30, 0x82, 0xff, 0xff]
      case .imap, .pop3, .postgres: Array("x".utf8)
      }
    let end = Self.run(startTLS, [[UInt8]](repeating: line, count: 1 << 14)).end
    let isOneByte = startTLS == .postgres
    #expect(
      end
        == .refuse(
          isOneByte ? "does not speak PostgreSQL" : "sent more than 16384 bytes before TLS"))
  }

  @Test(
    "waits for the rest of a length of LDAP, and for one that no message has",
    arguments: [
      [0x30, 0x84, 1], [0x30, 0xff], [0x30, 0x89] + [UInt8](repeating: 0xff, count: 9),
    ])
  func lengths(bytes: [UInt8]) {
    #expect(StartTLSReplies.ldap(bytes) == .incomplete)
  }

  @Test("says only what asks for TLS, and the address of the client in place of a name")
  func says() {
    func said(_ startTLS: StartTLS, _ index: Int, client: String? = "192.0.2.1") -> [String] {
      Self.run(startTLS, Self.good[index].1.map { Array($0.utf8) }, client: client).sent.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(said(.smtp, 0) == ["EHLO [192.0.2.1]\r\n", "STARTTLS\r\n"])
    #expect(said(.smtp, 0, client: "::1")[0] == "EHLO [IPv6:::1]\r\n")
    #expect(said(.smtp, 0, client: nil)[0] == "EHLO localhost\r\n")
    #expect(said(.imap, 1) == ["a STARTTLS\r\n"])
    #expect(said(.pop3, 2) == ["STLS\r\n"])
    #expect(said(.xmpp, 5)[0].hasPrefix("<?xml version='1.0'?><stream:stream to='a.test' "))
  }
}
