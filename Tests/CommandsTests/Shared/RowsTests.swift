import CoreTestSupport

@testable import Arguments
@testable import Commands

@Suite("Rows")
struct RowsTests {
  private struct Part {
    let name: String
    let end: Timestamp?
  }

  private struct Item {
    var name = "a"
    var isGood = true
    var parts: [Part] = []
  }

  private static let parts = Rows<Part>(
    .column("part", "PART", "the part") { $0.name },
    .column("expires", "ENDS", "when it ends") { $0.end.map { End($0) } })

  private static let rows = Rows<Item>(
    .column("name", "NAME", "the name") { $0.name },
    .column("good", "GOOD", "whether it is good", tone: { $0.isGood ? .plain : .bad }) {
      $0.isGood
    },
    .list("parts", "the parts", parts) { $0.parts },
    .member("count", "how many parts there are") { Int64($0.parts.count) },
    .object("first", "the first part", parts) { $0.parts.first })

  private static let item = Item(parts: [Part(name: "p", end: 60), Part(name: "q", end: nil)])

  @Test("print every declared member as JSON, and no other")
  func json() {
    let json = Self.rows.json(Self.item)
    #expect(
      json == [
        "name": "a", "good": true, "count": 2,
        "parts": [
          ["part": "p", "expires": "1970-01-01T00:01:00Z"], ["part": "q", "expires": .null],
        ],
        "first": ["part": "p", "expires": "1970-01-01T00:01:00Z"],
      ])
    #expect(Set(json.object?.keys.map { $0 } ?? []) == Set(Self.rows.list.members.map(\.name)))
    #expect(Self.rows.json(Item())["first"] == .null)
  }

  @Test("print raw values to a program, a line for each part")
  func lines() async throws {
    let table = Self.rows.table([Self.item, Item(name: "b", isGood: false)], at: nil)
    #expect(
      table.rows.map { $0.map(\.text) } == [
        ["a", "good", "p", "1970-01-01T00:01:00Z"], ["a", "good", "q", "-"],
      ])
    #expect(table.headings == ["NAME", "GOOD", "PART", "ENDS"])
    let shown = Self.rows.table([Self.item], at: 0)
    #expect(shown.rows[0][3].text == "expires 1970-01-01T00:01:00Z, in 60 seconds")
  }

  @Test("describe themselves")
  func description() {
    let doc = Self.rows.list
    #expect(
      doc.lines
        == "Each line has these fields, separated by tabs: `name`, `good`, `part`, `expires`; on a terminal they "
        + "are a table.")
    #expect(
      doc.json == """
        An array of objects with:

        * `name`: the name
        * `good`: whether it is good
        * `parts`: the parts, with `part` (the part), `expires` (when it ends, or null)
        * `count`: how many parts there are
        * `first`: the first part, or null, with `part` (the part), `expires` (when it ends, or null)
        """)
  }

  @Test("describe what may be absent, what else there is, and what is printed in another case")
  func cases() {
    let rows = Rows<Item>(
      .member("name", "the name") { $0.name },
      .member("end", "the end") { $0.parts.first?.end }.orAbsent)
    let doc = OutputDoc(.document, rows.members.map(\.doc), others: "Settings are members too.")
      .or("With `--all`", rows.list)
    #expect(
      doc.json == """
        An object with:

        * `name`: the name
        * `end`: the end, or absent

        Settings are members too.

        With `--all`, an array of objects with `name`, `end`.
        """)
    #expect(doc.names == ["name", "end"])
    #expect(rows.json(Item()) == ["name": "a"])
    #expect(rows.json(Self.item) == ["name": "a", "end": "1970-01-01T00:01:00Z"])
  }
}
