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
    "of a program are of a kind, and only a domain name backwards belongs to somebody",
    arguments: [
      ("com.example.app:/callback", .privateUse), ("sdkctl.work://callback", .privateUse),
      ("sdkctl.work://callback/x", .privateUse), ("a.b+c-1:/", .privateUse),
      ("myapp:/callback", .openScheme), ("authapp://Default/Authcallback", .openScheme),
      ("oneginiexample://loginsuccess", .openScheme), ("app://", .openScheme),
      ("https://app.test/cb", .claimed), ("https://APP.test", .claimed),
      ("http://127.0.0.1/cb", .loopback), ("http://[::1]:61000/", .loopback),
      ("http://localhost/cb", .loopback), ("http://app.test/cb", nil),
      ("javascript:alert(1)", nil), ("javascript://x/y", nil), ("file:///etc", nil),
      ("mailto:/x", nil), ("com.example.app:", nil), ("com.example.app:callback", nil),
      ("myapp:callback", nil), ("com..app:/cb", nil), (".com:/cb", nil), ("com.:/cb", nil),
      ("com.example.app:/cb?a=b", nil), ("com.example.app:/cb#a", nil),
      ("com.example.app://", nil), ("com.example.app://me@x/cb", nil),
      ("https://me@app.test/cb", nil), ("https://app.test/cb?a=b", nil), ("https://", nil),
      ("1com.example:/cb", nil), ("com.ex_ample:/cb", nil),
    ] as [(String, RedirectURI.Kind?)])
  func kind(text: String, kind: RedirectURI.Kind?) {
    #expect(RedirectURI(text)?.kind == kind)
    #expect((RedirectURI(text)?.caution != nil) == (kind == .openScheme))
  }

  @Test("that are too long for a response are refused")
  func long() throws {
    let uri = try #require(RedirectURI("com.example.app:/cb"))
    for (count, isTaken) in [(65_536, true), (131_072, false)] {
      let parameters = String(repeating: "a", count: count)
      #expect((uri.parameters(in: "com.example.app:/cb?" + parameters) != nil) == isTaken)
    }
  }
}
