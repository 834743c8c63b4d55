import TestSupport

@testable import Arguments

@Suite struct ManualPageTests {
  private static let pages = Demo.table.catalog.pages(
    date: ManualDate(sourceDateEpoch: "1762300800"))

  @Test func thereIsAPageForTheProgramEachCommandAndEachTopic() {
    #expect(
      Self.pages.map(\.name) == [
        "demo.1", "demo-token.1", "demo-token-decode.1", "demo-pin.1", "demo-pin-add.1",
        "demo-pin-show.1", "demo-fetch.1", "demo-exec.1",
        "demo-exit-codes.7", "demo-formats.7",
      ])
  }

  @Test(.enabled(if: Program.isExpected("mandoc"), "needs mandoc"))
  func mandocFindsNothingToWarnOf() throws {
    let tool = try ForeignTool()
    for page in Self.pages {
      try tool.write(page.name, Array(page.text.utf8))
      #expect(try tool.run("mandoc -T lint -W warning \(page.name)") == "")
    }
  }

  /// What a reader sees must be what the table says: escapes hide nothing and show nothing.
  @Test(.enabled(if: Program.isExpected("mandoc"), "needs mandoc"))
  func mandocShowsTheTextOfTheTable() throws {
    let tool = try ForeignTool()
    var shown: [String: String] = [:]
    for page in Self.pages {
      try tool.write(page.name, Array(page.text.utf8))
      shown[page.name] = try tool.run("mandoc -T ascii \(page.name) | col -bx")
    }
    for (name, text) in [
      ("demo.1", "-p, --profile NAME"), ("demo.1", "Environment: DEMO_PROFILE."),
      ("demo.1", "demo-exit-codes(7), demo-formats(7)"), ("demo.1", "November 5, 2025"),
      ("demo.1", "Something else failed.  A script stops."),
      ("demo-token-decode.1", "demo token decode [--raw] [FILE]"),
      ("demo-token.1", "demo-token-decode(1)"), ("demo-pin.1", "demo pin command [argument ...]"),
      ("demo-token.1", "curl -H \"$(demo token --header)\" https://example.org | jq ."),
      ("demo-pin-add.1", "demo pin add [-r ROLE] [--label TEXT] [-y] HOST ..."),
      ("demo-pin-add.1", "ROLE is leaf, intermediate or root."),
      ("demo-fetch.1", "demo fetch --user -X POST --data 'a b' /me"),
      ("demo-fetch.1", "-f, --fail, --no-fail"), ("demo-exec.1", "demo exec COMMAND ..."),
      ("demo-formats.7", ".first line begins with a dot"),
      ("demo-formats.7", "'second with a quote and a \\ backslash"),
      ("demo-formats.7", "another item that is \"quoted\""),
      ("demo-token.1", "The server needs a certificate."), ("demo-pin-add.1", "No connection."),
      ("demo-exit-codes.7", "6 (network): no connection."),
    ] {
      #expect(shown[name]?.contains(text) == true, "\(name) should say \(text)")
    }
  }

  @Test(
    "text is escaped",
    arguments: [
      (".Sh x", "\\&.Sh x"), ("'br", "\\(aqbr"), ("a\\b-c", "a\\eb\\-c"),
      ("\"`^~", "\\(dq\\(ga\\(ha\\(ti"), ("é→😀", "\\[u00E9]\\[u2192]\\[u1F600]"),
    ])
  func escapes(text: String, expected: String) {
    #expect(Mdoc.line(Mdoc.escaped(text, keepsHyphens: false)) == expected)
  }

  @Test(
    "words that look like macros are text",
    arguments: [
      ("Fl", "\\&Fl"), ("FILE", "FILE"), ("X", "\\&X"), (".", "\\&."), ("", "\"\""),
      ("a b", "\"a b\""), ("--x", "\\-\\-x"),
    ])
  func guards(word: String, expected: String) {
    #expect(Mdoc.argument(word) == expected)
  }

  @Test func sentencesStartNewLines() {
    var page = Mdoc(
      Demo.table.catalog, title: "x", section: "7", date: ManualDate(sourceDateEpoch: "1738281600"))
    page.prose("One `code.` Two (three.) Four\n\n# Head\nFive {token}.")
    #expect(
      page.text == """
        .Dd January 31, 2025
        .Dt X 7
        .Os demo 1.2.3
        One \\fBcode.\\fP
        Two (three.)
        Four
        .Ss Head
        Five \\fBdemo\\fP \\fBtoken\\fP.

        """)
  }
}
