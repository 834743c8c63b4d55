import JOSE
import JSON
import Primitives

/// Finds tokens within what people paste: an assignment, a cookie, an address, a line of a log, or a token that
/// was wrapped.
enum PastedTokens {
  /// The tokens in a text that may have more than a token in it; `nil` if it has none.
  static func found(in text: ArraySlice<UInt8>) -> [FoundToken]? {
    var found: [FoundToken] = []
    for run in text.split(whereSeparator: { !isPart($0) }) {
      var token = run
      // A full stop may end a sentence; a token alone is not one.
      let isInSentence = run.startIndex > text.startIndex
      if isInSentence, [3, 5].contains(dots(token)), token.last == UInt8(ascii: ".") {
        token = token.dropLast()
      }
      // Before any other character it would be the beginning of another text, such as a malformed token.
      let isEnd = run.endIndex == text.endIndex || isSeparator(text[run.endIndex])
      guard isEnd, begins(token), [2, 4].contains(dots(token)) else { continue }
      found.append(
        FoundToken(
          name: parameter(before: run.startIndex, in: text),
          text: String(decoding: token, as: UTF8.self)))
    }
    if let first = found.first {
      return found.count == 1 ? [FoundToken(name: nil, text: first.text)] : found
    }
    return opaque(in: text)
  }

  /// The token that was wrapped over lines: no line has a token by itself, and together they are one.
  ///
  /// Quotes, the marks of quoted mail and continued lines, and what is before the token in its first line are not
  /// part of it. Two tokens are never joined: the header says how many parts there must be.
  static func joined(_ lines: [[UInt8]]) -> [UInt8]? {
    beginning(lines).flatMap { isWhole($0[...]) == true ? $0 : nil }
  }

  /// What lines make if more lines may complete the token; `nil` for other lines.
  static func beginning(_ lines: [[UInt8]]) -> [UInt8]? {
    var parts = lines.map { unmarked($0[...]) }.filter { !$0.isEmpty }
    // The authorization scheme may have a line of its own.
    while let first = parts.first, TokenText.bare(first).isEmpty { parts.removeFirst() }
    guard let first = parts.first else { return [] }
    let lead = first.dropLast(first.reversed().prefix(while: isPart).count)
    parts[0] = first.dropFirst(lead.count)
    let text = Array(parts.joined())
    guard parts.count <= 1000, text.count <= JWS.maximumByteCount, found(in: lead) == nil,
      !lead.contains(0), begins(text[...]), text.allSatisfy(isPart),
      parts.count == 1 || !parts.contains(where: { isWhole($0) ?? true })
    else { return nil }
    return text
  }

  /// Why a text that begins like a token cannot be one; `nil` for other texts.
  static func defect(of text: String) -> String? {
    let bytes = Array(text.utf8)
    let count = dots(bytes[...]) + 1
    guard begins(bytes[...]), bytes.allSatisfy(isPart), ![3, 5].contains(count) else { return nil }
    // Canonical input of a terminal ends there.
    if bytes.count == 4095 {
      return "it was cut off after 4,095 bytes, the longest line of a terminal"
    }
    return count > 3
      ? "it has \(count) parts: a JWT has three, and an encrypted one five"
      : "it has \(count == 1 ? "one" : "two") of the three parts of a JWT: its end is missing"
  }

  /// The value of `access_token` in an address or a form.
  private static func opaque(in text: ArraySlice<UInt8>) -> [FoundToken]? {
    let name = Array("access_token=".utf8)
    var rest = text
    while let start = rest.firstIndex(of: name[0]) {
      rest = rest[start...]
      let isAlone = start == text.startIndex || "?#& ".utf8.contains(text[start - 1])
      if isAlone, rest.starts(with: name) {
        let value = rest.dropFirst(name.count).prefix { $0 > 0x20 && $0 != UInt8(ascii: "&") }
        return value.isEmpty
          ? nil : [FoundToken(name: nil, text: String(decoding: value, as: UTF8.self))]
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// The name of the parameter whose value begins there.
  private static func parameter(before start: Int, in text: ArraySlice<UInt8>) -> String? {
    guard start > text.startIndex, text[start - 1] == UInt8(ascii: "=") else { return nil }
    let name = text[..<(start - 1)].reversed().prefix {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_")
    }
    return name.isEmpty ? nil : String(decoding: name.reversed(), as: UTF8.self)
  }

  /// A line without quotes, marks of quoted mail, and the mark of a line that goes on.
  private static func unmarked(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isMark = { (byte: UInt8) in byte.isSpace || ">\"'`\\".utf8.contains(byte) }
    return TokenText.stripped(line) { text in
      let start = text.drop(while: isMark)
      return TokenText.withoutPunctuation(
        start.dropLast(start.reversed().prefix(while: isMark).count))
    }
  }

  /// Whether a text has as many parts as its header asks for, and a signature as long as its algorithm makes it;
  /// `nil` if its header cannot be read.
  private static func isWhole(_ text: ArraySlice<UInt8>) -> Bool? {
    let count = dots(text)
    guard begins(text), count >= 2 else { return false }
    let parts = text.prefix { $0 != UInt8(ascii: "~") }
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let header = Base64.decode(parts[0], alphabet: .url).flatMap({ try? JSON(parsing: $0) })
    else { return nil }
    guard header["enc"] == nil else { return count == 4 }
    let algorithm = header["alg"]?.string.flatMap(JWSAlgorithm.init(identifier:))
    return count == 2 && algorithm?.signatureByteCounts.contains(parts[2].count * 3 / 4) != false
  }

  /// The header of a token is a JSON object, so that its base64url begins like this.
  private static func begins(_ token: ArraySlice<UInt8>) -> Bool { token.starts(with: "ey".utf8) }

  /// The points between the parts of a token, without those behind the first disclosure.
  private static func dots(_ text: ArraySlice<UInt8>) -> Int {
    text.prefix { $0 != UInt8(ascii: "~") }.count { $0 == UInt8(ascii: ".") }
  }

  /// Whether a byte can follow a token: it ends a field, a value, an element or a word.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte.isSpace || "\"'`,;:&?#%|<>()[]{}\\".utf8.contains(byte)
  }

  /// Whether a byte can be in a token: base64url, the point between its parts, and the tilde between
  /// disclosures (RFC 9901).
  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }
}
