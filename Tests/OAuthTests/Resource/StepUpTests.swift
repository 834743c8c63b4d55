import TestSupport

@testable import OAuth

@Suite("A resource that requires another login")
struct StepUpTests {
  private static let error = #"Bearer error="insufficient_user_authentication""#

  private static let rows: [(String, [String]?)] = [
    (error, []),
    (error + #", acr_values="myACR", max_age=5"#, ["acr_values=myACR", "max_age=5"]),
    (error + #", acr_values="a  b", max_age="300""#, ["acr_values=a b", "max_age=300"]),
    (error + ", max_age=0", ["max_age=0"]),
    (
      #"Basic realm="x", dpop ERROR="insufficient_user_authentication", max_age=1"#,
      ["max_age=1"]
    ),
    // Nothing of the kind.
    (#"Bearer error="invalid_token", acr_values="a""#, nil),
    (#"Bearer error="insufficient_scope""#, nil),
    (#"Basic error="insufficient_user_authentication""#, nil),
    ("Bearer", nil),
    // What no login could ask for, or what would do harm on a command line.
    (error + #", acr_values="""#, []),
    (error + ", acr_values=\"a\tb\"", []),
    (error + ", acr_values=\"a\u{e9}\"", []),
    (error + #", acr_values="--help""#, []),
    (error + #", acr_values="  --help a""#, []),
    (error + #", acr_values="a --help""#, ["acr_values=a --help"]),
    (error + #", acr_values="a", acr_values="b""#, []),
    (error + ", acr_values=" + String(repeating: "a", count: 501), []),
    (error + ", max_age=-1", []),
    (error + ", max_age=1.5", []),
    (error + ", max_age=9999999999", []),
    (error + #", max_age="""#, []),
    (error + #", max_age=soon, acr_values="a""#, ["acr_values=a"]),
  ]

  @Test("is recognised, with the login that it requires", arguments: rows)
  func reading(challenge: String, parameters: [String]?) throws {
    #expect(try Self.parameters(401, challenge) == parameters)
  }

  @Test(
    "says so with 401 only, and names a missing scope with 403 only",
    arguments: [200, 400, 401, 403])
  func status(status: Int) throws {
    #expect(try (Self.parameters(status, Self.error) != nil) == (status == 401))
    let challenge = #"Bearer error="insufficient_scope", scope="a""#
    #expect(try Self.response(status, challenge).requiredScope == (status == 403 ? "a" : nil))
  }

  private static func response(_ status: Int, _ challenge: String) throws -> HTTPResponse {
    HTTPResponse(
      status: status, fields: [try HTTPField("WWW-Authenticate", challenge)],
      url: try HTTPURL("https://api.test/"))
  }

  private static func parameters(_ status: Int, _ challenge: String) throws -> [String]? {
    guard let stepUp = StepUp(try response(status, challenge)) else { return nil }
    return [
      stepUp.contexts.map { "acr_values=\($0)" }, stepUp.maximumAge.map { "max_age=\($0)" },
    ].compactMap { $0 }
  }
}
