internal import Primitives

extension HTTPURL {
  /// Reads an absolute URL.
  ///
  /// White space and other characters that a path must not hold are
  /// percent-encoded, a '%' without two hexadecimal digits too; a fragment is dropped, as no request
  /// carries one.
  ///
  /// - Throws: ``HTTPURLError`` for another scheme, user information, a bad host
  ///   or port, or a control character.
  public init(_ text: String) throws(HTTPURLError) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), isSchemeName(text[..<colon])
    else {
      throw HTTPURLError(
        description: "it has no scheme; write \(Self.withScheme(text) ?? "https://HOST/PATH")")
    }
    let rest = text[text.utf8.index(after: colon)...]
    guard let scheme = Scheme(rawValue: text[..<colon].asciiLowercased) else {
      // In `id.test:8443/api` the host reads as a scheme.
      let meant = rest.utf8.starts(with: "//".utf8) ? nil : Self.withScheme(text)
      throw HTTPURLError(
        description: meant.map { "it has no scheme; write \($0)" } ?? "its scheme is not https")
    }
    guard rest.utf8.starts(with: "//".utf8) else {
      throw HTTPURLError(description: "'//' is missing after the scheme")
    }
    let authorityAndPath = Substring(rest.utf8.dropFirst(2))
    let end =
      authorityAndPath.utf8.firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
      } ?? authorityAndPath.endIndex
    let authority = try Authority(authorityAndPath[..<end], scheme: scheme)
    let parts = try PathAndQuery(String(authorityAndPath[end...]))
    self.init(
      scheme: scheme, host: authority.host, port: authority.port,
      path: withoutDotSegments(parts.path), query: parts.query)
  }

  /// Reads `SCHEME://AUTHORITY`, or that with a path, as another program names the server that a
  /// credential is for.
  ///
  /// That program reads the address with a parser of its own. So the authority is all that stands before
  /// the first slash, and nothing of it may have been ignored or changed: it is byte for byte that of the
  /// URL, except for the case of ASCII letters and the scheme's own port.
  ///
  /// - Returns: `nil` for any other text, such as `https://host?.evil.test` or `https://host#@evil.test`.
  public init?(serverNamed address: String) {
    guard let url = try? HTTPURL(address), let start = Self.authorityStart(in: address) else {
      return nil
    }
    let named = String(Substring(address.utf8[start...].prefix { $0 != UInt8(ascii: "/") }))
    let withPort = "\(HostName.bracketed(url.host)):\(url.port)"
    let meant = [url.authority, withPort].contains {
      sameIdentifier($0, named.asciiLowercased)
    }
    guard meant else { return nil }
    self = url
  }

  /// The URL that a text without a scheme means; `nil` if it means none, has a misspelt scheme, or has a query, which
  /// may hold a secret.
  private static func withScheme(_ text: String) -> String? {
    guard !text.containsText("//"), let url = try? HTTPURL("https://\(text)"), url.query == nil
    else { return nil }
    return url.description
  }

  /// Where the authority of a URL begins; `nil` without `://`.
  private static func authorityStart(in text: String) -> String.Index? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = text.utf8[colon...]
    return rest.starts(with: "://".utf8) ? text.utf8.index(colon, offsetBy: 3) : nil
  }

  /// The text of a URL with the A-labels of its host; a text that is not a URL is returned unchanged.
  package static func withALabels(_ text: String) -> String {
    guard InternationalName.isMeant(by: text), let url = try? HTTPURL(text),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return text }
    let rest = text[text.utf8.index(colon, offsetBy: 3)...]
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    let host = Authority.split(rest[..<end]).host
    return text[..<host.startIndex] + url.host + text[host.endIndex...]
  }

  /// Resolves a reference, as a `Location` field holds it (RFC 3986 section 5.2).
  public func resolving(_ reference: String) throws(HTTPURLError) -> HTTPURL {
    if let colon = reference.utf8.firstIndex(of: UInt8(ascii: ":")),
      isSchemeName(reference[..<colon])
    {
      return try HTTPURL(reference)
    }
    // By bytes: a slash with a combining mark is one Character in Swift, and no prefix.
    if reference.utf8.starts(with: "//".utf8) {
      return try HTTPURL("\(scheme.rawValue):\(reference)")
    }
    let parts = try PathAndQuery(reference)
    let directory = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let merged =
      parts.path.isEmpty ? path : parts.path.hasPrefix("/") ? parts.path : directory + parts.path
    return with(
      path: withoutDotSegments(merged),
      query: parts.path.isEmpty && parts.query == nil ? query : parts.query)
  }
}

/// The path and the query of a reference, percent-encoded where they were not.
struct PathAndQuery {
  let path: String
  let query: String?

  init(_ text: String) throws(HTTPURLError) {
    let kept = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = kept.firstIndex(of: UInt8(ascii: "?")) else {
      path = try encodingInvalidBytes(kept)
      query = nil
      return
    }
    path = try encodingInvalidBytes(kept[..<mark])
    query = try encodingInvalidBytes(kept[mark...].dropFirst())
  }
}

private struct Authority {
  let host: String
  let port: UInt16

  init(_ text: Substring, scheme: HTTPURL.Scheme) throws(HTTPURLError) {
    guard !text.utf8.contains(UInt8(ascii: "@")) else {
      throw HTTPURLError(description: "it holds user information before '@'")
    }
    let split = Authority.split(text)
    guard let host = Authority.host(split.host, bracketed: split.bracketed) else {
      let cause = split.bracketed ? "" : InternationalName.clause(about: String(split.host))
      throw HTTPURLError(description: "its host is not a DNS name or an IP address\(cause)")
    }
    self.host = host
    guard let portText = split.port, !portText.isEmpty else {
      port = scheme.defaultPort
      return
    }
    guard portText.utf8.allSatisfy(\.isDigit), let number = UInt16(portText), number > 0 else {
      throw HTTPURLError(description: "its port is not a number from 1 to 65535")
    }
    port = number
  }

  /// The normalised host; the final dot of an absolute name stays.
  private static func host(_ text: Substring, bracketed: Bool) -> String? {
    if bracketed { return HostName.normalized("[\(text)]") }
    guard !text.utf8.contains(UInt8(ascii: ":")), let host = HostName.normalized(String(text))
    else { return nil }
    guard text.utf8.last == UInt8(ascii: ".") else { return host }
    return HostName.isAddress(host) ? nil : host + "."
  }

  static func split(_ text: Substring) -> (host: Substring, port: Substring?, bracketed: Bool) {
    if text.utf8.first == UInt8(ascii: "["), let close = text.utf8.firstIndex(of: UInt8(ascii: "]"))
    {
      // By bytes: a bracket or colon with a combining mark is one Character in Swift.
      let rest = text[text.utf8.index(after: close)...].utf8
      let host = text[text.utf8.index(after: text.startIndex)..<close]
      let isPort = rest.isEmpty || rest.first == UInt8(ascii: ":")
      return (isPort ? host : "", rest.isEmpty ? nil : Substring(rest.dropFirst()), true)
    }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return (text, nil, false) }
    return (text[..<colon], text[text.utf8.index(after: colon)...], false)
  }
}

/// Percent-encodes the bytes that a path or a query must not have (RFC 3986 section 3.3).
private func encodingInvalidBytes(_ text: Substring.UTF8View) throws(HTTPURLError) -> String {
  var encoded: [UInt8] = []
  let bytes = Array(text)
  for (index, byte) in bytes.enumerated() {
    switch byte {
    case 0..<0x20, 0x7F:
      throw HTTPURLError(description: "it holds a line break or another control character")
    case UInt8(ascii: "%"):
      let digits = bytes[(index + 1)...].prefix(2)
      let isEncoding = digits.count == 2 && digits.allSatisfy { $0.hexValue != nil }
      encoded += (isEncoding ? "%" : "%25").utf8
    case _ where isUnreserved(byte) || "!$&'()*+,;=:@/?[]".utf8.contains(byte):
      encoded.append(byte)
    default: encoded += percentEncoded(byte).utf8
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

/// Removes the segments `.` and `..` of a path (RFC 3986 section 5.2.4).
func withoutDotSegments(_ path: String) -> String {
  guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
    return path
  }
  var kept: [Substring] = []
  let segments = path.split(separator: "/", omittingEmptySubsequences: false)
  for (index, segment) in segments.enumerated() {
    let isLast = index == segments.count - 1
    switch segment.asciiLowercased.replacingEncodedDots {
    case ".": if isLast { kept.append("") }
    case "..":
      if kept.count > 1 { kept.removeLast() }
      if isLast { kept.append("") }
    default: kept.append(segment)
    }
  }
  return kept.joined(separator: "/")
}

/// Whether a server could find a segment `..` in a path that has none.
///
/// Some decode the path once more or twice, take `\` for a slash, or drop `;` and what follows it in a segment.
func hidesParentSegment(_ path: String) -> Bool {
  var bytes = Array(path.utf8)
  for _ in 1...3 {
    let segments = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    if segments.contains(where: { $0.prefix { $0 != UInt8(ascii: ";") }.elementsEqual("..".utf8) })
    {
      return true
    }
    bytes = decodingOnce(bytes)
  }
  return false
}

private func decodingOnce(_ bytes: [UInt8]) -> [UInt8] {
  var decoded: [UInt8] = []
  var rest = bytes[...]
  while let byte = rest.popFirst() {
    let digits = rest.prefix(2).compactMap(\.hexValue)
    if byte == UInt8(ascii: "%"), digits.count == 2 {
      decoded.append(digits[0] << 4 | digits[1])
      rest = rest.dropFirst(2)
    } else {
      decoded.append(byte)
    }
  }
  return decoded
}

extension String {
  /// Servers that decode before they resolve read `%2e` as a dot.
  fileprivate var replacingEncodedDots: String {
    var replaced: [UInt8] = []
    for byte in utf8 {
      replaced.append(byte)
      guard replaced.suffix(3).elementsEqual("%2e".utf8) else { continue }
      replaced.removeLast(3)
      replaced.append(UInt8(ascii: "."))
    }
    return String(decoding: replaced, as: UTF8.self)
  }
}

private func isSchemeName(_ text: Substring) -> Bool {
  guard let first = text.utf8.first, first.isLetter else { return false }
  return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
}
