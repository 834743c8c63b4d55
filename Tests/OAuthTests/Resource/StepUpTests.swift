import TestSupport

@testable import OAuth

@Suite("A resource that requires another login")
struct StepUpTests {
  private static let error = #"Bearer error="insufficient_user_authentication""#

  struct Row: Sendable, CustomTestStringConvertible {
    let challenge: String
    var parameters: [String]?
    var testDescription: String { challenge }

    init(_ challenge: String, _ parameters: [String]?) {
      self.challenge = challenge
      self.parameters = parameters
    }
  }

  private static let rows: [Row] = [
    Row(error, []),
    Row(error + #", acr_values="myACR", max_age=5"#, ["acr_values=myACR", "max_age=5"]),
    Row(error + #", acr_values="a  b", max_age="300""#, ["acr_values=a b", "max_age=300"]),
    Row(error + ", max_age=0", ["max_age=0"]),
    Row(
      #"Basic realm="x", dpop ERROR="insufficient_user_authentication", max_age=1"#,
      ["max_age=1"]),
    // Nothing of the kind.
    Row(#"Bearer error="invalid_token", acr_values="a""#, nil),
    Row(#"Bearer error="insufficient_scope""#, nil),
    Row(#"Basic error="insufficient_user_authentication""#, nil),
    Row("Bearer", nil),
    // What no login could ask for, or what would do harm on a command line.
    Row(error + #", acr_values="""#, []),
    Row(error + ", acr_values=\"a\tb\"", []),
    Row(error + ", acr_values=\"a\u{e9}\"", []),
    Row(error + #", acr_values="--help""#, []),
    Row(error + #", acr_values="  --help a""#, []),
    Row(error + #", acr_values="a --help""#, ["acr_values=a --help"]),
    Row(error + #", acr_values="a", acr_values="b""#, []),
    Row(
      error + ", acr_values=" + String(repeating: "a", count: 501), []),
    Row(error + ", max_age=-1", []),
    Row(error + ", max_age=1.5", []),
    Row(error + ", max_age=9999999999", []),
    Row(error + #", max_age="""#, []),
    Row(error + #", max_age=soon, acr_values="a""#, ["acr_values=a"]),
  ]

  @Test("is recognised, with the login that it requires", arguments: rows)
  func reading(row: Row) throws {
    #expect(try Self.parameters(401, row.challenge) == row.parameters)
  }

  @Test("says so with 401 only", arguments: [200, 400, 403])
  func status(status: Int) throws {
    #expect(try Self.parameters(status, Self.error) == nil)
  }

  private static func parameters(_ status: Int, _ challenge: String) throws -> [String]? {
    let response = HTTPResponse(
      status: status, fields: [try HTTPField("WWW-Authenticate", challenge)],
      url: try HTTPURL("https://api.test/"))
    guard let stepUp = StepUp(response) else { return nil }
    return [
      stepUp.contexts.map { "acr_values=\($0)" }, stepUp.maximumAge.map { "max_age=\($0)" },
    ].compactMap { $0 }
  }
}
