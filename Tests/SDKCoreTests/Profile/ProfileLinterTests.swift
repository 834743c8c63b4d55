import CoreTestSupport

@testable import SDKCore

@Suite("Problems of settings")
struct ProfileLinterTests {
  private func problems(_ text: String, pinned: [String] = []) throws -> [Finding] {
    let sets = try pinned.map {
      PinSet(try #require(PinPattern($0)), keys: [PinnedKey(pin: Pin(key: [1]), role: .leaf)])
    }
    return ProfileLinter(pins: PinSets(sets)).problems(in: Array(text.utf8))
  }

  static let rows: [(text: String, kind: Finding.Problem, path: String, line: Int?)] = [
    ("{\n\"scop\": \"a\"}", .unknownKey, "scop", 2),
    ("{\"seal\": {\n\n\"x\": 1}}", .unknownKey, "seal.x", 3),
    ("{\n\"scope\": 1}", .invalidValue, "scope", 2),
    ("{\"identity\":\n{\"when\": \"x\"}}", .invalidValue, "identity.when", 2),
    ("{\"redirectPort\": 70000}", .invalidValue, "redirectPort", 1),
    ("{\"identity\": 5}", .unknownKey, "identity", 1),
    ("[]", .malformed, "", nil), ("{\n\n\"a\": }", .malformed, "", 3),
    ("{\"scope\": \"a\", \"scope\": \"b\"}", .malformed, "", 1),
    ("{\"discovery\": false}", .contradiction, "discovery", 1),
    ("{\"payloadEncryption\": true}", .contradiction, "payloadEncryption", 1),
    ("{\"accountClient\": \"id\"}", .contradiction, "accountClient", 1),
    (
      "{\"seal\": {\"passcodeMinimumLength\": 9, \"passcodeMaximumLength\": 8}}", .contradiction,
      "seal.passcodeMinimumLength", 1
    ),
    ("{\"par\": true, \"discovery\": false}", .contradiction, "par", 1),
    ("{\"resourceURL\": \"http://a.test\"}", .plainHTTP, "resourceURL", 1),
    ("{\"resourceURL\": \"http://127.0.0.1\"}", .plainHTTP, "resourceURL", 1),
    ("{\"pinPolicy\": \"report\"}", .notEnforced, "pinPolicy", 1),
    ("{\"pkce\": false}", .switchedOff, "pkce", 1),
    ("{\"insecureLoopback\": true}", .switchedOff, "insecureLoopback", 1),
    ("{\"redirectURI\": \"app://cb\"}", .openScheme, "redirectURI", 1),
    ("{\"issuer\": \"https://id.test\"}", .unpinned, "issuer", 1),
  ]

  @Test("are found, with the line", arguments: rows)
  func found(
    row: (text: String, kind: Finding.Problem, path: String, line: Int?)
  ) throws {
    let problem = try #require(
      try problems(row.text).first { $0.problem == row.kind && $0.subject ?? "" == row.path })
    #expect(problem.line == row.line)
    #expect(!problem.text.isEmpty)
    let errors: Set<Finding.Problem> = [
      .malformed, .unknownKey, .invalidValue, .contradiction, .plainHTTP,
    ]
    #expect((problem.severity == .error) == errors.contains(row.kind))
  }

  @Test("are of every kind in the table")
  func kinds() {
    let ofPins: Set<Finding.Problem> = [
      .duplicate, .publicSuffix, .noBackup, .shortLivedLeaf, .expired, .expiresSoon, .samePins,
      .weakKey,
    ]
    #expect(Set(Self.rows.map(\.kind)) == Set(Finding.Problem.allCases).subtracting(ofPins))
  }

  @Test("are none of a usual profile")
  func none() throws {
    let text = """
      {"version": 1, "$schema": "x", "issuer": "https://id.test", "resourceURL": "https://a.test/v1",
       "seal": {"passcodeMinimumLength": 8, "passcodeMaximumLength": 8},
       "accountURL": "https://page.test", "par": false, "debugDetection": false, "insecureLoopback": false, "redirectURI": "com.example.app:/cb"}
      """
    #expect(try problems(text, pinned: ["id.test", "a.test"]) == [])
    #expect(try problems(text, pinned: ["id.test"]).map(\.subject) == ["resourceURL"])
  }

  @Test("are told once of a host that several settings name")
  func once() throws {
    let text = """
      {"issuer": "https://a.test", "resourceURL": "https://a.test/v1",
       "endpoints": {"token": "https://b.test", "revocation": "https://b.test/x"}}
      """
    let found = try problems(text).filter { $0.problem == .unpinned }
    #expect(found.map(\.subject) == ["issuer", "endpoints.token"])
  }

  @Test("warn only of http to this machine if it is allowed")
  func loopback() throws {
    let text = "{\"insecureLoopback\": true, \"issuer\": \"http://127.0.0.1:1\"}"
    let problem = try #require(try problems(text).first { $0.problem == .plainHTTP })
    #expect(problem.severity == .warning)
  }
}
