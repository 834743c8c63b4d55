import CoreTestSupport

@testable import Commands

@Suite("A token in what people paste")
struct PastedTokenTests {
  private static let token = TestToken.text(#"{"sub":"alice"}"#)

  private static func found(_ text: String) -> [FoundToken] {
    TokenText.tokens(in: Array(text.utf8))
  }

  /// A signed and an encrypted token, and how they come from mail, chats and terminals.
  @Test(
    "is joined if it was wrapped over lines",
    arguments: [60, 76, 110],
    [
      "%", "Bearer %", "Authorization: Bearer %", "authorization:\nbearer\n%", "'%'",
      "\u{201C}%\u{201D}",
      "export TOKEN='%'", "-H 'Authorization: Bearer %'", "\n\n%\n\n",
    ])
  func wrapped(width: Int, form: String) {
    let header = TestToken.text("", header: #"{"alg":"RSA-OAEP","enc":"A128GCM"}"#)
      .prefix { $0 != "." }
    let encrypted = "\(header).\(String(repeating: "k", count: 342)).iviviviviviviviv.cccc.tttt"
    for token in [Self.token, Self.token + "~ZGlzY2xvc3Vy~", encrypted] {
      for (before, after) in [("", ""), ("  ", " "), ("> ", ""), (">> ", "\r"), ("", "\\")] {
        let whole = form.split(separator: "%", omittingEmptySubsequences: false)
          .joined(separator: token)
        let text = lines(of: whole, width).map { before + $0 + after }.joined(separator: "\n")
        let stream = TokenStream(pasted: Array(text.utf8))
        #expect(stream.single == [FoundToken(name: nil, text: token)], "\(text)")
      }
    }
  }

  private func lines(of text: String, _ width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      stride(from: 0, to: max(line.count, 1), by: width).map {
        String(line.dropFirst($0).prefix(width))
      }
    }
  }

  @Test("is found within any number of marks")
  func marks() {
    let marks = String(repeating: "\u{200B}\"", count: 100_000)
    let reversed = String(repeating: "\"\u{200B}", count: 100_000)
    let text = "\(marks)\(Self.token)\(reversed)"
    #expect(Self.found(text) == [FoundToken(name: nil, text: Self.token)])
    let (start, rest) = (String(Self.token.prefix(9)), String(Self.token.dropFirst(9)))
    let lines = [marks + start, rest + reversed].map { Array($0.utf8) }
    #expect(PastedTokens.joined(lines) == Array(Self.token.utf8))
  }

  @Test("is joined of 1000 lines, and of no more", arguments: [(998, true), (999, false)])
  func manyLines(count: Int, isJoined: Bool) {
    let lines = [Self.token.prefix(9), Self.token.dropFirst(9) + "~"]
    let all = lines + Array(repeating: "a", count: count)
    #expect((PastedTokens.joined(all.map { Array($0.utf8) }) != nil) == isJoined)
  }

  @Test("is not joined with another one")
  func separate() {
    let parts = Self.token.split(separator: ".").map(String.init)
    let cut = parts[0] + "." + parts[1]
    let texts = [
      [Self.token, Self.token], [Self.token, "opaque"], ["opaque", Self.token],
      [cut, parts[2], cut, parts[2]], [cut, "opaque"], [cut + ".", parts[2], "and a word"],
      [cut + ".", parts[2], "opaque"], ["and a word", cut + ".", parts[2]],
      [parts[0] + ".", String(repeating: "a", count: 1 << 20), "." + parts[2]],
      ["\(Self.token) \(cut)", parts[2]], [Self.token, "> \(Self.token)"], ["opaque", "words"],
    ]
    for lines in texts {
      #expect(PastedTokens.joined(lines.map { Array($0.utf8) }) == nil, "\(lines)")
    }
  }

  @Test("is not taken out of a longer text", arguments: ["=", "+a", "/a", "!", "~!~", ".", "é"])
  func padded(rest: String) {
    let text = Self.token + rest
    #expect(Self.found(text) == [FoundToken(name: nil, text: text)])
  }

  @Test(
    "is the parameter access_token of an address if it is no JWT",
    arguments: [
      ("https://a.test/#access_token=o1&state=x", "o1"), ("access_token=o1", "o1"),
      ("https://a.test/?x=1&access_token=o1 HTTP/1.1", "o1"),
      ("https://a.test/#my_access_token=o1", "https://a.test/#my_access_token=o1"),
      ("https://a.test/#access_token=", "https://a.test/#access_token="),
    ])
  func parameter(text: String, token: String) {
    #expect(Self.found(text) == [FoundToken(name: nil, text: token)])
  }

  @Test("is not what only begins like one")
  func parts() {
    let text = "see eyJhbGci.eyJzdWIi for more"
    #expect(Self.found(text) == [FoundToken(name: nil, text: text)])
    for text in ["eyJhbGci eyJzdWIi", "eyJhbGci.e\u{e9}", Self.token, "abc"] {
      #expect(PastedTokens.defect(of: text) == nil, "\(text)")
    }
    let longest = "eyJ" + String(repeating: "a", count: 4092)
    #expect(PastedTokens.defect(of: longest)?.hasPrefix("it was cut off after 4,095 bytes") == true)
  }

  @Test("keeps a beginning that names no scheme", arguments: ["bearer-1", "dpopx", "DPoP.a"])
  func scheme(text: String) {
    #expect(Self.found(text) == [FoundToken(name: nil, text: text)])
    #expect(Self.found("Bearer \(text)") == [FoundToken(name: nil, text: text)])
  }
}
