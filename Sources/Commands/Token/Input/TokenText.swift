import JSON
import Primitives

struct FoundToken: Sendable, Hashable {
  /// The member that holds it: of a token response, or the path in another document; `nil` if it stands alone.
  let name: String?
  let text: String
  /// How often it is in the document again.
  var copyCount = 0
}

/// Finds tokens in a text that a person has pasted.
enum TokenText {
  /// The tokens of a text: one, or those of a token response, another document or a line of a log; empty for white
  /// space.
  ///
  /// White space and quotes around a token, also those of web pages and word processors, the name
  /// of an authorization scheme before it, and the field name before that are not part of it.
  static func tokens(in bytes: [UInt8]) -> [FoundToken] {
    let text = bare(bytes[...])
    if text.isEmpty { return [] }
    let whole = [FoundToken(name: nil, text: String(decoding: text, as: UTF8.self))]
    // No text has one: it must not pass for what separates tokens.
    if text.contains(0) { return whole }
    guard let first = text.first, "{[".utf8.contains(first),
      let document = try? JSON(parsing: Array(text))
    else { return PastedTokens.found(in: text) ?? whole }
    if let compact = compactForm(of: document) { return [FoundToken(name: nil, text: compact)] }
    var found = names.compactMap { name, spellings in
      spellings.compactMap { document[$0]?.string }.first.map { FoundToken(name: name, text: $0) }
    }
    if found.isEmpty { found = DocumentTokens(document).found }
    return found.isEmpty ? whole : found
  }

  /// Whether tokens are those of one token response.
  static func isResponse(_ tokens: [FoundToken]) -> Bool {
    tokens.allSatisfy { token in names.contains { $0.0 == token.name } }
  }

  /// The members with tokens: of a token response (RFC 6749 section 5.1), and as this program
  /// prints them.
  private static let names = [
    ("access_token", ["access_token", "accessToken"]), ("id_token", ["id_token", "idToken"]),
    ("refresh_token", ["refresh_token", "refreshToken"]), ("token", ["token"]),
  ]

  /// A text without white space, quotes, and the name of a scheme before it.
  static func bare(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = stripped(bytes.trimmingSpace) { text in
      var text = text
      if let first = text.first, first == text.last, text.count > 1, "\"'`".utf8.contains(first) {
        text = text.dropFirst().dropLast().trimmingSpace
      }
      return withoutPunctuation(text).trimmingSpace
    }
    for prefix in ["authorization:", "bearer", "dpop"] {
      let rest = text.dropFirst(prefix.utf8.count)
      guard zip(text, prefix.utf8).allSatisfy({ $0.asciiLowercased == $1 }),
        text.count >= prefix.utf8.count,
        prefix.utf8.last == UInt8(ascii: ":") || rest.first.map(\.isSpace) ?? true
      else { continue }
      text = rest.trimmingSpace
    }
    return text
  }

  /// What is left of a text when a step that takes from its ends takes nothing more.
  static func stripped(
    _ text: ArraySlice<UInt8>, by step: (ArraySlice<UInt8>) -> ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    var text = text
    while true {
      let rest = step(text)
      if rest.count == text.count { return text }
      text = rest
    }
  }

  /// The text without a byte order mark, and without quotes and spaces beyond ASCII around it.
  static func withoutPunctuation(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = bytes
    while let mark = marks.first(where: { text.starts(with: $0) }) {
      text = text.dropFirst(mark.count)
    }
    while let mark = marks.first(where: { text.reversed().starts(with: $0.reversed()) }) {
      text = text.dropLast(mark.count)
    }
    return text
  }

  private static let marks = [
    "\u{FEFF}", "\u{A0}", "\u{200B}", "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}",
  ].map { Array($0.utf8) }
}
