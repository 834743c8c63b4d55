import CoreTestSupport

@testable import Commands

@Suite("Token for another program")
struct TokenFormTests {
  private static let tokens = TokenSet(
    accessToken: #"a'b"c\d"#, tokenType: "DPoP", expires: 1_700_000_000, scope: nil,
    refreshToken: "r", obtained: 0)

  @Test(
    "has its proof in the forms that send it",
    arguments: [
      (.header, ["Authorization: DPoP a'b\"c\\d", "DPoP: p.q.r"]),
      (.curl, [#"header = "Authorization: DPoP a'b\"c\\d""#, #"header = "DPoP: p.q.r""#]),
    ] as [(TokenForm, [String])])
  func proof(form: TokenForm, expected: [String]) throws {
    let profile = try Profile(name: try ProfileName("work"))
    #expect(form.isHeader)
    #expect(form.lines(Self.tokens, proof: "p.q.r", of: profile) == expected)
  }

  @Test(
    "is quoted as the other program reads it",
    arguments: [
      (.bare, [#"a'b"c\d"#]),
      (.header, [#"Authorization: DPoP a'b"c\d"#]),
      (.curl, [#"header = "Authorization: DPoP a'b\"c\\d""#]),
      (
        .environment(.sh),
        [
          #"export SDKCTL_ACCESS_TOKEN='a'\''b"c\d'"#, "export SDKCTL_TOKEN_TYPE=DPoP",
          "export SDKCTL_TOKEN_EXPIRES=2023-11-14T22:13:20Z",
          "export SDKCTL_ISSUER=https://id.test",
          "export SDKCTL_RESOURCE_URL=https://api.test/a%20b%CC%81",
        ]
      ),
      (
        .environment(.fish),
        [
          #"set -gx SDKCTL_ACCESS_TOKEN 'a\'b"c\\d'"#, "set -gx SDKCTL_TOKEN_TYPE 'DPoP'",
          "set -gx SDKCTL_TOKEN_EXPIRES '2023-11-14T22:13:20Z'",
          "set -gx SDKCTL_ISSUER 'https://id.test'",
          "set -gx SDKCTL_RESOURCE_URL 'https://api.test/a%20b%CC%81'",
        ]
      ),
      (
        .environment(.powershell),
        [
          #"$Env:SDKCTL_ACCESS_TOKEN = 'a''b"c\d'"#, "$Env:SDKCTL_TOKEN_TYPE = 'DPoP'",
          "$Env:SDKCTL_TOKEN_EXPIRES = '2023-11-14T22:13:20Z'",
          "$Env:SDKCTL_ISSUER = 'https://id.test'",
          "$Env:SDKCTL_RESOURCE_URL = 'https://api.test/a%20b%CC%81'",
        ]
      ),
    ] as [(TokenForm, [String])])
  func lines(form: TokenForm, expected: [String]) throws {
    var profile = try Profile(name: try ProfileName("work"))
    try profile.set("issuer", to: "https://id.test")
    try profile.set("resourceURL", to: "https://api.test/a b\u{301}")
    #expect(form.lines(Self.tokens, of: profile) == expected)
  }

  /// What stands between the quotes for `'`, a combining mark, `\`, another and a quote of print.
  @Test("is quoted so that zsh does not expand '=ls' to a path")
  func equals() throws {
    let tokens = Self.tokens("=ls")
    let profile = try Profile(name: try ProfileName("work"))
    let line = TokenForm.environment(.sh).lines(tokens, of: profile)[0]
    #expect(line == "export SDKCTL_ACCESS_TOKEN='=ls'")
  }

  @Test(
    "is quoted whatever marks combine with the quotes",
    arguments: [
      (.environment(.sh), "''\\''\u{301}\\\u{301}\u{2019}'"),
      (.environment(.fish), "'\\'\u{301}\\\\\u{301}\u{2019}'"),
      (.environment(.powershell), "'''\u{301}\\\u{301}\u{2019}\u{2019}'"),
    ] as [(TokenForm, String)])
  func marks(form: TokenForm, quoted: String) throws {
    let tokens = Self.tokens("'\u{301}\\\u{301}\u{2019}")
    let line = form.lines(tokens, of: try Profile(name: try ProfileName("work")))[0]
    #expect(Array(line.utf8).suffix(quoted.utf8.count) == Array(quoted.utf8)[...], "\(line)")
  }

  @Test("doubles each quote that PowerShell knows", arguments: ["'", "‘", "’", "‚", "‛"])
  func powerShell(quote: String) throws {
    let profile = try Profile(name: try ProfileName("work"))
    let line = TokenForm.environment(.powershell).lines(Self.tokens(quote), of: profile)[0]
    #expect(line == "$Env:SDKCTL_ACCESS_TOKEN = '\(quote)\(quote)'")
  }

  @Test("passes the authorities of the profile on to curl")
  func authorities() throws {
    var profile = try Profile(name: try ProfileName("work"))
    try profile.set("caFile", to: "/a b.pem")
    let lines = ["cacert = \"/a b.pem\"", "header = \"Authorization: Bearer t\""]
    #expect(TokenForm.curl.lines(bearer: "t", of: profile) == lines)
    #expect(TokenForm.header.lines(bearer: "t", of: profile) == ["Authorization: Bearer t"])
  }

  @Test("keeps curl's string closed whatever marks combine with its quotes")
  func curl() throws {
    let tokens = Self.tokens("a\"\u{301}\\\u{301}")
    let line = TokenForm.curl.lines(tokens, of: try Profile(name: try ProfileName("work")))[0]
    let expected = "header = \"Authorization: Bearer a\\\"\u{301}\\\\\u{301}\""
    #expect(Array(line.utf8) == Array(expected.utf8))
  }

  /// A token with letters that no server sends, for the quoting alone.
  private static func tokens(_ accessToken: String) -> TokenSet {
    TokenSet(
      accessToken: accessToken, expires: nil, scope: nil, refreshToken: nil, obtained: 0)
  }
}
