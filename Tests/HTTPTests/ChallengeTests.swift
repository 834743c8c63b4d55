import TestSupport

/// Fields with many schemes, quoted strings and lists, as RFC 9110 section 11.6.1 warns of.
@Suite("WWW-Authenticate")
struct ChallengeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let field: String
    let challenges: [[String]]
    var testDescription: String { field }

    init(_ field: String, _ challenges: [String]...) {
      self.field = field
      self.challenges = challenges
    }
  }

  private static let rows: [Row] = [
    // The examples of the RFCs.
    Row(
      #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
      ["Basic", "realm=simple"], ["Newauth", "realm=apps", "type=1", #"title=Login to "apps""#]),
    Row(
      #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
      ["Newauth", "realm=apps", "type=1", #"title=Login to "apps""#], ["Basic", "realm=simple"]),
    Row(
      #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, "#
        + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzj""#,
      [
        "Digest", "realm=http-auth@example.org", "qop=auth, auth-int", "algorithm=SHA-256",
        "nonce=7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "opaque=FQhe/qaU925kfnzj",
      ]),
    Row(
      #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#,
      [
        "Bearer", "realm=example", "error=invalid_token",
        "error_description=The access token expired",
      ]),
    Row(
      #"DPoP error="use_dpop_nonce", error_description="Resource server requires nonce in DPoP proof""#,
      [
        "DPoP", "error=use_dpop_nonce",
        "error_description=Resource server requires nonce in DPoP proof",
      ]),
    Row(
      #"Bearer error="insufficient_user_authentication", acr_values="myACR", max_age="5", "#
        + #"DPoP algs="ES256 PS256", Negotiate"#,
      ["Bearer", "error=insufficient_user_authentication", "acr_values=myACR", "max_age=5"],
      ["DPoP", "algs=ES256 PS256"], ["Negotiate"]),
    Row(
      #"Mutual realm="x", Negotiate YII=, NTLM, Kerberos"#, ["Mutual", "realm=x"], ["Negotiate"],
      ["NTLM"], ["Kerberos"]),
    // White space and empty elements.
    Row(""), Row(" , ,"), Row("BEARER Error=x,SCOPE = \"a\"", ["BEARER", "error=x", "scope=a"]),
    Row("\t Bearer \t a \t = \t b \t , \t c = d", ["Bearer", "a=b", "c=d"]),
    Row(",,, Bearer ,,, a=b ,,, c=d ,,,", ["Bearer", "a=b", "c=d"]),
    Row("Bearer,Basic,", ["Bearer"], ["Basic"]), Row("Bearer\ta=b", ["Bearer", "a=b"]),
    Row("Bearer  ", ["Bearer"]), Row("Bearer a=b,", ["Bearer", "a=b"]),
    Row("Bearer a=b, Basic", ["Bearer", "a=b"], ["Basic"]),
    Row("Bearer a=b,Basic c=d", ["Bearer", "a=b"], ["Basic", "c=d"]),
    // Quoted strings.
    Row(#"Bearer a="""#, ["Bearer", "a="]), Row(#"Bearer a="\"""#, ["Bearer", "a=\""]),
    Row(#"Bearer a="\a\\\,""#, ["Bearer", #"a=a\,"#]),
    Row(#"Bearer a="b, Basic realm=c""#, ["Bearer", "a=b, Basic realm=c"]),
    Row(#"Bearer a="=", b="," "#, ["Bearer", "a==", "b=,"]),
    Row("Bearer a=\"\t x \t\"", ["Bearer", "a=\t x \t"]), Row("Bearer a=\"é\"", ["Bearer", "a=é"]),
    Row("Bearer a=\"\\é\"", ["Bearer", "a=é"]),
    Row("Bearer a=\"\u{301}b\"", ["Bearer", "a=\u{301}b"]),
    // Each is read up to where it breaks.
    Row(#"Bearer a="b"#), Row(#"Bearer a="b\"#), Row(#"Bearer a="b\""#), Row("Bearer a='b c'"),
    Row(#"Basic, Bearer a="b"#, ["Basic"]), Row("Bearer a=b c=d"), Row("Bearer a=b; c=d"),
    Row("Bearer a b"), Row("Bearer DPoP algs=ES256"), Row("Basic, Bearer a b", ["Basic"]),
    Row("Bearer =b"), Row("Bearer a=b, =c", ["Bearer", "a=b"]),
    Row("Bearer a=b, c="), Row("Bearer \"a\"=b"), Row("\"Bearer\" a=b"),
    Row("Bearer: a=b"), Row("Bearer; a=b"), Row("(Bearer) a=b"), Row("Bearer/x"),
    Row("Bearer a=é"), Row("Bearer\u{A0}a=b"), Row("B\u{E9}arer a=b"), Row("Bearer a\u{301}=b"),
    Row("Bearer a=, b=c", ["Bearer"]), Row("Bearer a==b"), Row("Bearer a=\"b\"c"),
    Row("error=\"x\""),
    Row("Bearer a=b=c"), Row("Bearer a=\"b\"\"c\""), Row("Bearer a[0]=b"), Row("= , Bearer"),
    // A token68 ends its challenge.
    Row("Negotiate abc==", ["Negotiate"]), Row("Negotiate a-._~+/9=", ["Negotiate"]),
    Row("Negotiate abc== , Basic realm=x", ["Negotiate"], ["Basic", "realm=x"]),
    Row("Negotiate abc, realm=x", ["Negotiate"]), Row("Negotiate abc def"),
    Row("Negotiate ="), Row("Basic realm", ["Basic"]),
  ]

  @Test("has schemes and parameters in one list", arguments: rows)
  func read(row: Row) throws {
    let read = try Self.challenges(row.field).map { challenge in
      [challenge.scheme] + challenge.parameters.map { "\($0.name)=\($0.value)" }
    }
    #expect(
      read.map { $0.map { Array($0.utf8) } } == row.challenges.map { $0.map { Array($0.utf8) } })
  }

  @Test("returns a value that occurs once, by a name in lower case")
  func values() throws {
    let challenge = try #require(try Self.challenges("Bearer Error=e, a=1, a=2").first)
    #expect(challenge.parameters.map(\.name) == ["error", "a", "a"])
    #expect([challenge["error"], challenge["a"], challenge["b"]] == ["e", nil, nil])
    #expect(challenge.isOf(scheme: "bEARER"))
    #expect(!challenge.isOf(scheme: "DPoP"))
  }

  @Test("has at most 32 challenges, and fewer than 100 parameters")
  func bounds() throws {
    let many = [String](repeating: "A b=c", count: 100).joined(separator: ", ")
    #expect(try Self.challenges(many).count == 32)
    let long = (0..<100).map { "p\($0)=v" }.joined(separator: ", ")
    #expect(try Self.challenges("Bearer \(long)").isEmpty)
  }

  @Test("gives the same challenges in one field as in several")
  func split() throws {
    let fields = [#"Basic realm="a, b""#, "Negotiate YII=", #"DPoP algs="ES256", x=y"#, "Bearer"]
    let several = HTTPResponse(
      status: 401, fields: HTTPFields(try fields.map { try HTTPField("WWW-Authenticate", $0) }),
      url: try HTTPURL("https://h/"))
    #expect(try Self.challenges(fields.joined(separator: ", ")) == several.challenges)
    #expect(several.challenges.count == 4)
  }

  @Test("never traps, and never returns more than the field has")
  func mutated() throws {
    let seed = Array(
      #"Digest realm="a\"b", qop="auth, int", Negotiate YII==, Bearer error=x, DPoP"#.utf8)
    var random = Dice(state: 31)
    for _ in 0..<10_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        bytes = random.mutated(bytes)
      }
      let field = String(decoding: bytes, as: UTF8.self)
      guard let challenges = try? Self.challenges(field) else { continue }
      let size = challenges.reduce(0) { sum, challenge in
        sum + challenge.scheme.utf8.count
          + challenge.parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      }
      #expect(size <= field.utf8.count)
      for challenge in challenges {
        #expect(
          !challenge.scheme.isEmpty && challenge.scheme.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      }
    }
  }

  private static func challenges(_ field: String) throws -> [Challenge] {
    HTTPResponse(
      status: 401, fields: [try HTTPField("WWW-Authenticate", field)],
      url: try HTTPURL("https://h/")
    ).challenges
  }
}
