import TestSupport

@Suite("Challenges of WWW-Authenticate")
struct ChallengeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let fields: [String]
    /// Scheme, then the parameters as `name=value`, each challenge on its own.
    let challenges: [[String]]
    var testDescription: String { "\(fields)" }

    init(_ fields: String..., challenges: [[String]]) {
      self.fields = fields
      self.challenges = challenges
    }
  }

  private static let rows: [Row] = [
    Row(challenges: []),
    Row("", challenges: []),
    Row(" , ,", challenges: []),
    Row("Bearer", challenges: [["Bearer"]]),
    Row("Bearer realm=\"a b\"", challenges: [["Bearer", "realm=a b"]]),
    Row("BEARER Error=x,SCOPE = \"a\"", challenges: [["BEARER", "error=x", "scope=a"]]),
    Row(
      "Bearer error=\"e\", acr_values=\"a b\", max_age=5",
      challenges: [["Bearer", "error=e", "acr_values=a b", "max_age=5"]]),
    // Commas, escapes and schemes within quotes are text.
    Row(
      #"Basic realm="a, DPoP error=\"x\"", charset="UTF-8""#,
      challenges: [["Basic", #"realm=a, DPoP error="x""#, "charset=UTF-8"]]),
    Row(#"Basic realm="\\""#, challenges: [["Basic", #"realm=\"#]]),
    Row(#"Basic realm="""#, challenges: [["Basic", "realm="]]),
    // Several in one field, and several fields.
    Row(
      "Basic realm=\"a\", Bearer, DPoP algs=\"ES256\"",
      challenges: [["Basic", "realm=a"], ["Bearer"], ["DPoP", "algs=ES256"]]),
    Row(
      "Negotiate, Bearer error=e", "DPoP x=y",
      challenges: [["Negotiate"], ["Bearer", "error=e"], ["DPoP", "x=y"]]),
    Row(
      "Negotiate dG9rZW4=, Bearer a=b", challenges: [["Negotiate"], ["Bearer", "a=b"]]),
    Row("Negotiate dG9r,,Bearer a=b", challenges: [["Negotiate"], ["Bearer", "a=b"]]),
    // A name twice is no value; see the subscript.
    Row("Bearer a=1, a=2", challenges: [["Bearer", "a=1", "a=2"]]),
    // Read up to where it breaks.
    Row("Bearer a=b, DPoP error=\"open", challenges: [["Bearer", "a=b"]]),
    Row(#"Bearer error="x\"#, challenges: []),
    Row("Bearer a=\"b\"c", challenges: []),
    Row("error=\"x\"", challenges: []),
    Row("=, Bearer", challenges: []),
    Row("Bearer a=, b=c", challenges: [["Bearer"]]),
    Row("Bearer a==b", challenges: []),
    Row("\u{e9} a=b", challenges: []),
  ]

  @Test("are read as RFC 9110 writes them, and up to where they break", arguments: rows)
  func reading(row: Row) throws {
    let response = try Self.response(row.fields)
    let read = response.challenges.map { challenge in
      [challenge.scheme] + challenge.parameters.map { "\($0.name)=\($0.value)" }
    }
    #expect(read == row.challenges)
  }

  @Test("return a value that occurs once, by a name in lower case")
  func values() throws {
    let response = try Self.response(["Bearer Error=e, a=1, a=2"])
    let challenge = try #require(response.challenges.first)
    #expect(challenge["error"] == "e")
    #expect(challenge["a"] == nil)
    #expect(challenge["b"] == nil)
    #expect(challenge.isOf(scheme: "bEARER"))
    #expect(!challenge.isOf(scheme: "DPoP"))
  }

  @Test("are bounded in number")
  func bounds() throws {
    let many = try Self.response([String](repeating: "A b=c", count: 100).joined(separator: ", "))
    #expect(many.challenges.count == 32)
    let long = (0..<100).map { "p\($0)=v" }.joined(separator: ", ")
    #expect(try Self.response("Bearer \(long)").challenges.isEmpty)
  }

  private static func response(_ fields: String...) throws -> HTTPResponse {
    try response(fields)
  }

  private static func response(_ fields: [String]) throws -> HTTPResponse {
    HTTPResponse(
      status: 401,
      fields: HTTPFields(try fields.map { try HTTPField("www-Authenticate", $0) }),
      url: try HTTPURL("https://api.test/"))
  }
}
