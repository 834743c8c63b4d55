import Primitives

/// What servers say before TLS, read without trust: anything unexpected is a refusal.
enum StartTLSReplies {
  typealias Reply = StartTLSDialogue.Reply

  /// Lines of SMTP up to the last one of a reply, which has a space after its code (RFC 5321 section 4.2).
  ///
  /// The extension `keyword` must be among the lines.
  static func smtp(_ bytes: [UInt8], _ code: String, offering keyword: String? = nil) -> Reply {
    var hasKeyword = keyword == nil
    var start = 0
    while let line = line(bytes, from: start) {
      start = line.end
      guard line.text.hasPrefix(code) else { return refusal(line.text) }
      let rest = line.text.dropFirst(code.count)
      guard rest.isEmpty || rest.first == " " || rest.first == "-" else {
        return refusal(line.text)
      }
      if let keyword, rest.dropFirst().split(separator: " ").first?.uppercased() == keyword {
        hasKeyword = true
      }
      if rest.first == "-" { continue }
      return hasKeyword ? .accepted(start) : .refused("does not offer \(keyword ?? "TLS")")
    }
    return .incomplete
  }

  /// A line with a beginning, after lines with another one.
  static func line(_ bytes: [UInt8], _ prefix: String, after other: String? = nil) -> Reply {
    var start = 0
    while let line = line(bytes, from: start) {
      start = line.end
      if let other, line.text.hasPrefix(other) { continue }
      let isExpected = line.text.uppercased().hasPrefix(prefix.uppercased())
      return isExpected ? .accepted(start) : refusal(line.text)
    }
    return .incomplete
  }

  /// One byte: `S` for TLS, `N` without.
  static func postgres(_ bytes: [UInt8]) -> Reply {
    switch bytes[0] {
    case UInt8(ascii: "S"): .accepted(1)
    case UInt8(ascii: "N"): .refused("does not offer TLS")
    default: .refused("does not speak PostgreSQL")
    }
  }

  /// ExtendedRequest with the name 1.3.6.1.4.1.1466.20037 (RFC 4511 section 4.14.1).
  static let ldapRequest: [UInt8] =
    [0x30, 29, 0x02, 1, 1, 0x77, 24, 0x80, 22] + Array("1.3.6.1.4.1.1466.20037".utf8)

  /// ExtendedResponse: message 1, and a result code, which is 0 for success.
  static func ldap(_ bytes: [UInt8]) -> Reply {
    guard bytes[0] == 0x30 else { return .refused("does not speak LDAP") }
    guard let outer = derBody(bytes, at: 1) else { return .incomplete }
    let message = Array(bytes[outer])
    let refused = Reply.refused("refused TLS")
    guard message.starts(with: [0x02, 1, 1, 0x78]), let inner = derBody(message, at: 4) else {
      return refused
    }
    return message[inner].starts(with: [0x0a, 1, 0]) ? .accepted(outer.upperBound) : refused
  }

  /// The bytes after a length of BER in its short or long form; `nil` if they are not complete.
  private static func derBody(_ bytes: [UInt8], at index: Int) -> Range<Int>? {
    guard index < bytes.count else { return nil }
    var (start, length) = (index + 1, Int(bytes[index]))
    if length >= 0x80 {
      let count = length - 0x80
      guard count <= 4, start + count <= bytes.count else { return nil }
      length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
      start += count
    }
    guard length <= bytes.count - start else { return nil }
    return start..<start + length
  }

  static let xmppTLS = "urn:ietf:params:xml:ns:xmpp-tls"

  /// XML up to an end, with something in it.
  static func xmpp(_ bytes: [UInt8], through end: String, naming name: String) -> Reply {
    let text = String(decoding: bytes, as: UTF8.self)
    if !"<".hasPrefix(text.trimmingBlanks.prefix(1)) { return .refused("does not speak XMPP") }
    for failure in ["<stream:error", "<failure", "</stream:stream"] where text.containsText(failure)
    {
      return .refused("refused TLS")
    }
    guard let length = bytes.index(after: Array(end.utf8)) else { return .incomplete }
    return text.containsText(name) ? .accepted(length) : .refused("does not offer TLS")
  }

  /// The name of a client that has none (RFC 5321 section 4.1.3).
  static func literal(_ address: IPAddress) -> String {
    address.bytes.count == 4 ? "[\(address)]" : "[IPv6:\(address)]"
  }

  private static func refusal(_ line: String) -> Reply {
    .refused("refused TLS: \(VisibleText.of(line, .bytes, limit: 120))")
  }

  /// The line that begins at an index, without its end, and where the next one begins.
  private static func line(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = bytes[start..<end]
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    return (String(decoding: text, as: UTF8.self), end + 1)
  }
}

extension [UInt8] {
  /// The index behind the first occurrence of a text.
  fileprivate func index(after text: [UInt8]) -> Int? {
    guard count >= text.count else { return nil }
    return (0...count - text.count)
      .first { self[$0] == text[0] && self[$0...].starts(with: text) }.map { $0 + text.count }
  }
}
