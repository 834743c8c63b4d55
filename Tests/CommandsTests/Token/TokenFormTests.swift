import JSON
import SDKCore
import Testing

@testable import Commands

@Suite("Token for another program")
struct TokenFormTests {
  private static let tokens = TokenSet(
    accessToken: #"a'b"c\d"#, tokenType: "DPoP", expires: 1_700_000_000, scope: nil,
    refreshToken: "r", idToken: nil, obtained: 0)

  @Test(
    "goes with its proof to those that send it",
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
        ]
      ),
      (
        .environment(.fish),
        [
          #"set -gx SDKCTL_ACCESS_TOKEN 'a\'b"c\\d'"#, "set -gx SDKCTL_TOKEN_TYPE 'DPoP'",
          "set -gx SDKCTL_TOKEN_EXPIRES '2023-11-14T22:13:20Z'",
          "set -gx SDKCTL_ISSUER 'https://id.test'",
        ]
      ),
      (
        .environment(.powershell),
        [
          #"$Env:SDKCTL_ACCESS_TOKEN = 'a''b"c\d'"#, "$Env:SDKCTL_TOKEN_TYPE = 'DPoP'",
          "$Env:SDKCTL_TOKEN_EXPIRES = '2023-11-14T22:13:20Z'",
          "$Env:SDKCTL_ISSUER = 'https://id.test'",
        ]
      ),
    ] as [(TokenForm, [String])])
  func lines(form: TokenForm, expected: [String]) throws {
    var profile = try Profile(name: try ProfileName("work"))
    try profile.set("issuer", to: "https://id.test")
    #expect(form.lines(Self.tokens, of: profile) == expected)
  }
}
