import Testing

@testable import OAuth

@Suite("Redirect URIs")
struct RedirectURITests {
  /// A redirect URI, an address, and its parameters if it is an answer there.
  static let addresses: [(uri: String, address: String, parameters: String?)] = [
    ("com.example.app:/cb", "com.example.app:/cb?code=c&state=s", "code=c&state=s"),
    ("com.example.app:/cb", "COM.Example.App:/cb?code=c", "code=c"),
    ("com.example.app:/cb", "com.example.app:/cb?code=c#_=_", "code=c"),
    ("com.example.app:/cb", "com.example.app:/cb", ""),
    ("com.example.app:/cb", "com.example.app:/cbx?code=c", nil),
    ("com.example.app:/cb", "com.example.app:/cb/x?code=c", nil),
    ("com.example.app:/cb", "com.example.app:/CB?code=c", nil),
    ("com.example.app:/cb", "com.example.app:/x/../cb?code=c", nil),
    ("com.example.app:/cb", "com.example.app://cb?code=c", nil),
    ("com.example.app:/cb", "com.example.app.evil:/cb?code=c", nil),
    ("com.example.app:/cb", "com.example.app:/c%62?code=c", nil),
    ("sdkctl.work://callback", "sdkctl.work://callback?code=c", "code=c"),
    ("sdkctl.work://callback", "sdkctl.work://callback/?code=c", "code=c"),
    ("sdkctl.work://callback", "sdkctl.work://callback.evil?code=c", nil),
    ("sdkctl.work://callback", "sdkctl.work://me@callback?code=c", nil),
    ("https://app.test/cb", "https://app.test/cb?code=c", "code=c"),
    ("https://app.test/cb", "https://APP.test/cb?code=c", "code=c"),
    ("https://app.test/cb", "https://app.test/cbx?code=c", nil),
    ("https://app.test/cb", "https://app.test.evil.test/cb?code=c", nil),
    ("https://app.test/cb", "http://app.test/cb?code=c", nil),
    ("https://app.test/cb", "https://app.test:8443/cb?code=c", nil),
    ("http://127.0.0.1:61000/cb", "http://127.0.0.1:61001/cb?code=c", nil),
    ("com.example.app:/cb", "code=c&state=s", nil),
    ("com.example.app:/cb", "com.example.app:/cb?co de=c", nil),
    ("com.example.app:/cb", "com.example.app:/cb?code=\u{7}", nil),
    ("com.example.app:/cb", "", nil),
  ]

  @Test("are compared as a whole, never by their beginnings", arguments: addresses)
  func comparison(row: (uri: String, address: String, parameters: String?)) throws {
    let uri = try #require(RedirectURI(row.uri))
    #expect(uri.parameters(in: row.address) == row.parameters)
  }

  @Test(
    "of a program have a domain name backwards as their scheme",
    arguments: [
      ("com.example.app:/callback", true), ("sdkctl.work://callback", true),
      ("sdkctl.work://callback/x", true), ("a.b+c-1:/", true),
      ("myapp:/callback", false), ("javascript:alert(1)", false), ("com.example.app:", false),
      ("com.example.app:callback", false), ("com..app:/cb", false), (".com:/cb", false),
      ("com.:/cb", false), ("com.example.app:/cb?a=b", false), ("com.example.app://", false),
      ("com.example.app://me@x/cb", false), ("https://app.test/cb", false),
      ("http://127.0.0.1/cb", false), ("1com.example:/cb", false), ("com.ex_ample:/cb", false),
    ])
  func privateUse(text: String, isAcceptable: Bool) {
    #expect((RedirectURI(text)?.isAcceptablePrivateUse ?? false) == isAcceptable)
  }

  @Test("that are too long for a response are refused")
  func long() throws {
    let uri = try #require(RedirectURI("com.example.app:/cb"))
    #expect(
      uri.parameters(in: "com.example.app:/cb?" + String(repeating: "a", count: 32_768)) == nil)
  }
}
