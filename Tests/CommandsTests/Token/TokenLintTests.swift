import CoreTestSupport

@testable import Commands

@Suite("token lint")
struct TokenLintTests {
  @Test(
    "finds what is wrong, with the section",
    arguments: [
      (#"{"alg":"none"}"#, "{}", ["alg-none", "exp-missing", "typ-missing"]),
      (#"{"alg":"HS256","typ":"JWT"}"#, #"{"exp":1}"#, ["alg-shared", "iss-missing"]),
      (#"{"alg":"RS256","typ":"JWT"}"#, #"{"exp":1}"#, ["key-small"]),
      (#"{"alg":"ES384","typ":"JWT"}"#, #"{"exp":1}"#, ["signature-length"]),
      (
        #"{"alg":"ES256","typ":"at+jwt"}"#, #"{"iss":"http://x","aud":"a"}"#,
        [
          "exp-missing", "sub-missing", "client_id-missing", "jti-missing", "iat-missing",
          "iss-url",
        ]
      ),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1800000000000}"#, ["time-milliseconds"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":"1"}"#, ["time-type"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"iat":0,"exp":864000}"#, ["lifetime"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"iat":5,"exp":4}"#, ["lifetime"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"nbf":9,"exp":9}"#, ["never-valid"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"nbf":9,"iat":1,"exp":8}"#, ["never-valid"]),
      (
        #"{"alg":"ES256","typ":"at+jwt"}"#, #"{"exp":1,"iss":"","aud":[],"sub":null}"#,
        ["iss-missing", "aud-missing", "sub-missing"]
      ),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"email":"a@b"}"#, ["personal-data"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"password":"x"}"#, ["secret"]),
      (#"{"alg":"ES256","typ":"JWT","kid":"../k"}"#, #"{"exp":1}"#, ["kid-path"]),
      (#"{"alg":"ES256","typ":"JWT","kid":"https://x"}"#, #"{"exp":1}"#, ["kid-path"]),
      (#"{"alg":"ES256","typ":"JWT","jku":"https://x","x5u":"https://x"}"#, "{}", ["jku", "x5u"]),
      (#"{"alg":"ES256","typ":"JWT","jwk":{}}"#, "{}", ["jwk"]),
      (#"{"alg":"ES256","typ":"JWT","cty":"JWT"}"#, "{}", ["cty"]),
      (#"{"alg":"ES256","crit":["x"]}"#, "{}", ["crit"]), (#"{"alg":"ES256"}"#, "[]", ["payload"]),
    ] as [(String, String, [String])])
  func lint(header: String, claims: String, codes: [String]) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "token", "lint", "--json", "-", input: TestToken.text(claims, header: header))
    let findings = run.json?["findings"]?.array ?? []
    let found = findings.compactMap { $0["code"]?.string }
    #expect(Set(codes).isSubset(of: found), "\(found)")
    #expect(findings.allSatisfy { $0["section"]?.string?.hasPrefix("RFC ") == true })
    let errors = run.json?["errors"]?.int ?? 0
    #expect(run.status == .status(errors > 0 ? .verification : .success))
    let severities = findings.compactMap { $0["severity"]?.string }
    let order = ["error", "warning", "info"]
    #expect(severities == order.flatMap { word in severities.filter { $0 == word } })
  }

  @Test(
    "finds what is just beyond a limit, and nothing at it",
    arguments: [
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"nbf":"1"}"#, "time-type", true),
      (
        #"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"nbf":100000000000}"#, "time-milliseconds", true
      ),
      (
        #"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"nbf":99999999999}"#, "time-milliseconds", false
      ),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"nbf":0,"exp":86401}"#, "lifetime", true),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"nbf":0,"exp":86400}"#, "lifetime", false),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"nbf":9,"iat":1,"exp":10}"#, "never-valid", false),
      (#"{"alg":"ES256","typ":"dpop+jwt","jwk":{}}"#, "{}", "jwk", false),
      (#"{"alg":"ES256","typ":"DPoP+JWT","jwk":{}}"#, "{}", "jwk", false),
      (#"{"alg":"ES256","typ":"JWT","kid":"a\u001fb"}"#, "{}", "kid-path", true),
      (#"{"alg":"ES256","typ":"JWT","kid":"a b"}"#, "{}", "kid-path", false),
      (#"{"alg":"ES256","typ":"JWT","kid":"a'b"}"#, "{}", "kid-path", true),
      (#"{"alg":"ES256","typ":"JWT","kid":""}"#, "{}", "kid-empty", true),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"iss":"https://x"}"#, "iss-url", false),
    ] as [(String, String, String, Bool)])
  func limits(header: String, claims: String, code: String, isFound: Bool) async throws {
    let run = try await TestProgram([:]).run(
      "token", "lint", "--json", "-", input: TestToken.text(claims, header: header))
    let found = run.json?["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
    #expect(found.contains(code) == isFound, "\(found)")
  }

  @Test("finds more than 8000 bytes, and more than four tokens in one another")
  func sizes() async throws {
    func codes(_ token: String) async throws -> [String] {
      let run = try await TestProgram([:]).run("token", "lint", "--json", "-", input: token)
      return run.json?["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
    }
    func token(of size: Int) -> String {
      let bare = TestToken.text(#"{"a":""}"#)
      // Three bytes of the payload are four of the token.
      let filler = String(repeating: "a", count: (size - bare.utf8.count) / 4 * 3)
      return TestToken.text(#"{"a":"\#(filler)"}"#)
    }
    let (small, large) = (token(of: 8000), token(of: 8008))
    #expect(small.utf8.count <= 8000 && large.utf8.count > 8000)
    #expect(try await !codes(small).contains("size"))
    #expect(try await codes(large).contains("size"))
    var nested = TestToken.text("{}")
    for depth in 2...5 {
      nested = TestToken.text(nested, header: #"{"alg":"ES256","typ":"JWT","cty":"JWT"}"#)
      #expect(try await codes(nested).contains("nesting") == (depth > 4))
    }
  }
}
