import Testing

@testable import Arguments

@Suite struct ProseTests {
  @Test func blocksAreToldApart() {
    let prose = Prose(
      """
      # Title
      First line
      second line
      * one
        goes on
      * two

          kept  as

            it is

      Last.
      """)
    #expect(
      prose.blocks == [
        .heading("Title"), .paragraph([.text("First line second line")]),
        .list([[.text("one goes on")], [.text("two")]]),
        .literal(["kept  as", "", "  it is"]), .paragraph([.text("Last.")]),
      ])
  }

  @Test(
    "spans are told apart",
    arguments: [
      ("a --min-ttl b", [.text("a "), .option("--min-ttl"), .text(" b")]),
      ("(--x9, --y-)", [.text("("), .option("--x9"), .text(", "), .option("--y"), .text("-)")]),
      ("a--b -- ---c --Big", [.text("a--b -- ---c --Big")]),
      (
        "`a b` {token decode}.", [.code("a b"), .text(" "), .reference("token decode"), .text(".")]
      ),
      ("open ` and {", [.text("open ` and {")]),
      ("`` {}", [.text("`` {}")]),
      ("", []),
    ] as [(String, [Prose.Span])])
  func spans(line: String, expected: [Prose.Span]) {
    #expect(Prose.spans(in: line) == expected)
  }

  @Test func textIsFilledToTheWidth() {
    let text = PlainText(catalog: Demo.table.catalog, width: 20)
    #expect(
      text.lines("* aaaa bbbb cccc dddd eeee\n\nffffffffffffffffffffffffff g", indent: 2) == [
        "  * aaaa bbbb cccc", "    dddd eeee", "", "  ffffffffffffffffffffffffff", "  g",
      ])
    #expect(
      text.plain("`a` `b c` {token} {curl(1)} {exit-codes}")
        == "a 'b c' 'demo token' curl(1) 'demo help exit-codes'")
  }

  @Test func codeWithQuotesIsInBackquotes() {
    let text = PlainText(catalog: Demo.table.catalog)
    #expect(text.plain("`--scope ''` sends `none`") == "`--scope ''` sends none")
  }
}
