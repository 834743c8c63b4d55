import TestSupport

@Suite("Link header fields")
struct WebLinkTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let fields: [String]
    /// Target, then the relations.
    let links: [[String]]
    let isComplete: Bool
    var testDescription: String { "\(fields)" }

    init(_ fields: String..., links: [[String]], isComplete: Bool = true) {
      self.fields = fields
      self.links = links
      self.isComplete = isComplete
    }
  }

  private static let rows: [Row] = [
    Row(links: []),
    Row("", links: []),
    Row(" , ,", links: []),
    Row("<https://a.test/?p=2>; rel=\"next\"", links: [["https://a.test/?p=2", "next"]]),
    Row("</x>;rel=NEXT;title=\"a, b; <c>\"", links: [["/x", "next"]]),
    Row("<>; rel=next", links: [["", "next"]]),
    Row("<a>", links: [["a"]]),
    Row("<a>;", links: [["a"]]),
    Row("<a>; ;rel=x", links: [["a", "x"]]),
    Row("<a> ; rel = \"prev  next\"", links: [["a", "prev", "next"]]),
    Row("<a>; rel=first; rel=next", links: [["a", "first"]]),
    Row("<a>; type=text/html; rel=next", links: [["a", "next"]]),
    Row("<a>; crossorigin; rel=next", links: [["a", "next"]]),
    Row("<a>; title*=UTF-8''x%20y; rel=next", links: [["a", "next"]]),
    Row("<a,b>; rel=x, <c>; rel=next", links: [["a,b", "x"], ["c", "next"]]),
    Row("<a>; rel=x", "<b>; rel=next", links: [["a", "x"], ["b", "next"]]),
    // Read up to where it breaks.
    Row("garbage>", links: [], isComplete: false),
    Row("<a", links: [], isComplete: false),
    Row("<a> rel=next", links: [], isComplete: false),
    Row("<a>; rel=\"next", links: [], isComplete: false),
    Row("<a>; rel=\"next\"x", links: [], isComplete: false),
    Row("<a>; =next", links: [], isComplete: false),
    Row("<a>; rel/next", links: [], isComplete: false),
    Row("<a>; rel=x, nonsense", links: [["a", "x"]], isComplete: false),
    Row("broken", "<b>; rel=next", links: [["b", "next"]], isComplete: false),
  ]

  @Test("are read as RFC 8288 writes them, and up to where they break", arguments: rows)
  func reading(row: Row) throws {
    let list = try Self.response(row.fields).links
    #expect(list.links.map { [$0.target] + $0.relations } == row.links)
    #expect(list.isComplete == row.isComplete)
  }

  @Test("say whether they are of something else")
  func anchors() throws {
    let list = try Self.response(["<a>; anchor=\"#x\"; rel=next, <b>; rel=next"]).links
    #expect(list.links.map(\.hasAnchor) == [true, false])
  }

  @Test("are bounded in number")
  func bounds() throws {
    let text = [String](repeating: "<a>; rel=x", count: 1000).joined(separator: ", ")
    let list = try Self.response([text]).links
    #expect(list.links.count == 256)
    #expect(!list.isComplete)
  }

  private static func response(_ fields: [String]) throws -> HTTPResponse {
    let list = try fields.map { try HTTPField("Link", $0) }
    return HTTPResponse(
      status: 200, fields: HTTPFields(list), url: try HTTPURL("https://api.test/"))
  }
}
