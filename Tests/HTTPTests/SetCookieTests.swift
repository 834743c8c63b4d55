import TestSupport

@testable import HTTP

/// Fields `Set-Cookie` as servers send them, and as an attacker could.
@Suite("Set-Cookie (RFC 6265)")
struct SetCookieTests {
  private static let now: Timestamp = 1_800_000_000

  struct Row: Sendable, CustomTestStringConvertible {
    let field: String
    /// Name, value, domain and path; `nil` if the cookie is ignored.
    let parts: [String]?
    /// `h` for the host only, `s` for secure, `o` for HttpOnly.
    let flags: String
    /// Seconds from now, 0 for a session; negative for the past.
    let end: Int64
    var testDescription: String { field }

    init(_ field: String, _ parts: [String]?, _ flags: String = "h", end: Int64 = 0) {
      self.field = field
      self.parts = parts
      self.flags = flags
      self.end = end
    }
  }

  private static let host = "www.shop.test"

  private static let rows: [Row] = [
    // Name and value.
    Row("a=b", ["a", "b", host, "/in"]),
    Row("a=", ["a", "", host, "/in"]),
    Row("a = b ", ["a", "b", host, "/in"]),
    Row("\ta\t=\tb\t", ["a", "b", host, "/in"]),
    Row("a=b=c=", ["a", "b=c=", host, "/in"]),
    Row("a=\"b c\"", ["a", "\"b c\"", host, "/in"]),
    Row("a=b,c", ["a", "b,c", host, "/in"]),
    Row("a b=c d", ["a b", "c d", host, "/in"]),
    Row("a=é", ["a", "é", host, "/in"]),
    Row("a=\u{301}b", ["a", "\u{301}b", host, "/in"]),
    Row("a\u{301}=b", ["a\u{301}", "b", host, "/in"]),
    Row("a=b;\u{301}c; Path=/", ["a", "b", host, "/"]),
    Row("$Version=1", ["$Version", "1", host, "/in"]),
    Row("Path=/", ["Path", "/", host, "/in"]),
    Row("a=%00%0d%0a", ["a", "%00%0d%0a", host, "/in"]),
    Row("", nil), Row("a", nil), Row("=", nil), Row("=b", nil), Row(" =b", nil), Row(";a=b", nil),
    Row("; Path=/", nil), Row("a; b=c", nil),
    // A control character would split a request or a line of a file of cookies.
    Row("a=b\u{1}", nil), Row("a=b\u{7F}", nil), Row("a=b\tc", nil), Row("a\tb=c", nil),
    Row("a=b\0c", nil), Row("a=b\r\nX: y", nil), Row("a=b; Path=/\u{1}", nil),
    // Path.
    Row("a=b; Path=/", ["a", "b", host, "/"]),
    Row("a=b; path = /x/y ", ["a", "b", host, "/x/y"]),
    Row("a=b; Path=x", ["a", "b", host, "/in"]),
    Row("a=b; Path", ["a", "b", host, "/in"]),
    Row("a=b; Path=", ["a", "b", host, "/in"]),
    Row("a=b; Path=/x; Path=/y", ["a", "b", host, "/y"]),
    Row("a=b; Path=/x; Path=y", ["a", "b", host, "/in"]),
    Row("a=b; Path=\"/\"", ["a", "b", host, "/in"]),
    Row("a=b; Path=/x=y?z", ["a", "b", host, "/x=y?z"]),
    Row("a=b; Path=/\u{301}", ["a", "b", host, "/\u{301}"]),
    Row("a=b; Path=//evil.test/", ["a", "b", host, "//evil.test/"]),
    // Domain.
    Row("a=b; Domain=www.shop.test", ["a", "b", host, "/in"], ""),
    Row("a=b; Domain=shop.test", ["a", "b", "shop.test", "/in"], ""),
    Row("a=b; Domain=.shop.test", ["a", "b", "shop.test", "/in"], ""),
    Row("a=b; DOMAIN=SHOP.Test", ["a", "b", "shop.test", "/in"], ""),
    Row("a=b; Domain=shop.test.", nil), Row("a=b; Domain=www.shop.test.", nil),
    Row("a=b; Domain=", ["a", "b", host, "/in"]),
    Row("a=b; Domain=.", ["a", "b", host, "/in"]),
    Row("a=b; Domain", ["a", "b", host, "/in"]),
    Row("a=b; Domain=evil.test; Domain=shop.test", ["a", "b", "shop.test", "/in"], ""),
    Row("a=b; Domain=shop.test; Domain=evil.test", nil),
    Row("a=b; Domain=..shop.test", nil), Row("a=b; Domain=op.test", nil),
    Row("a=b; Domain=test", nil), Row("a=b; Domain=.test", nil), Row("a=b; Domain=com", nil),
    Row("a=b; Domain=x.www.shop.test", nil), Row("a=b; Domain=shop.test/", nil),
    Row("a=b; Domain=shop.test:443", nil), Row("a=b; Domain=https://shop.test", nil),
    Row("a=b; Domain=*.shop.test", nil), Row("a=b; Domain=shop.test evil", nil),
    Row("a=b; Domain=127.0.0.1", nil), Row("a=b; Domain=\"shop.test\"", nil),
    Row("a=b; Domain=\u{17F}hop.test", nil), Row("a=b; Domain=shop.te\u{17F}t", nil),
    // Flags.
    Row("a=b; Secure", ["a", "b", host, "/in"], "hs"),
    Row("a=b;secure;HTTPONLY", ["a", "b", host, "/in"], "hso"),
    Row("a=b; Secure=false", ["a", "b", host, "/in"], "hs"),
    Row("a=b; HttpOnly=x", ["a", "b", host, "/in"], "ho"),
    Row("a=b; Secured; Http-Only", ["a", "b", host, "/in"]),
    Row("a=b; SameSite=None; Priority=High; Partitioned; ;;", ["a", "b", host, "/in"]),
    // Names with a prefix.
    Row("__Secure-a=b; Secure", ["__Secure-a", "b", host, "/in"], "hs"),
    Row("__Secure-a=b", nil), Row("__sEcUrE-a=b", nil),
    Row("__Host-a=b; Secure; Path=/", ["__Host-a", "b", host, "/"], "hs"),
    Row("__Host-a=b; Secure", nil), Row("__Host-a=b; Path=/", nil),
    Row("__host-a=b; Secure; Path=/in", nil),
    Row("__Host-a=b; Secure; Path=/; Domain=www.shop.test", nil),
    Row("__Host-a=b; Secure; Path=/; Domain=", ["__Host-a", "b", host, "/"], "hs"),
    Row("__Hosta=b", ["__Hosta", "b", host, "/in"]),
    // What is too long: a pair of more than 4096 bytes, an attribute of more than 1024.
    Row("a=" + long(4095), ["a", long(4095), host, "/in"]), Row("a=" + long(4096), nil),
    Row(long(4095) + "=b", [long(4095), "b", host, "/in"]), Row(long(4096) + "=b", nil),
    Row("a=b; Path=/" + long(1023), ["a", "b", host, "/" + long(1023)]),
    Row("a=b; Path=/" + long(1024), ["a", "b", host, "/in"]),
    Row("a=b; Domain=" + long(1025) + "; Secure", ["a", "b", host, "/in"], "hs"),
    Row("a=b" + String(repeating: "; x=y", count: 2000), ["a", "b", host, "/in"]),
    // The end.
    Row("a=b; Max-Age=60", ["a", "b", host, "/in"], end: 60),
    Row("a=b; max-age = 060", ["a", "b", host, "/in"], end: 60),
    Row("a=b; Max-Age=60; Max-Age=90", ["a", "b", host, "/in"], end: 90),
    Row("a=b; Max-Age=60; Max-Age=x", ["a", "b", host, "/in"], end: 60),
    Row("a=b; Max-Age=+60", ["a", "b", host, "/in"]),
    Row("a=b; Max-Age=6 0", ["a", "b", host, "/in"]),
    Row("a=b; Max-Age=1.5", ["a", "b", host, "/in"]),
    Row("a=b; Max-Age=\"60\"", ["a", "b", host, "/in"]),
    Row("a=b; Max-Age=", ["a", "b", host, "/in"]), Row("a=b; Max-Age=-", ["a", "b", host, "/in"]),
    Row("a=b; Max-Age=0", ["a", "b", host, "/in"], end: -1),
    Row("a=b; Max-Age=-60", ["a", "b", host, "/in"], end: -1),
    Row("a=b; Expires=Fri, 15 Jan 2027 08:01:00 GMT", ["a", "b", host, "/in"], end: 60),
    Row("a=b; Expires=Fri, 15-Jan-27 08:01:00 GMT", ["a", "b", host, "/in"], end: 60),
    Row("a=b; Expires=Fri, 15 Jan 2027 07:59:00 GMT", ["a", "b", host, "/in"], end: -1),
    Row("a=b; Expires=0", ["a", "b", host, "/in"]),
    Row("a=b; Expires=Fri, 15 Jan 2027 08:01:00 GMT; Expires=x", ["a", "b", host, "/in"], end: 60),
    Row("a=b; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", ["a", "b", host, "/in"], end: -1),
    Row("a=b; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", ["a", "b", host, "/in"], end: 5),
    Row(
      "a=b; Max-Age=90; Expires=Fri, 15 Jan 2027 08:01:00 GMT", ["a", "b", host, "/in"], end: 90),
  ]

  private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test("makes a cookie of name, value and attributes, or is ignored", arguments: rows)
  func read(row: Row) throws {
    let cookie = Cookie(
      setCookie: row.field, from: try HTTPURL("https://www.shop.test/in/page?x=/y/"), at: Self.now,
      isPublicSuffix: { $0 == "test" })
    let parts = cookie.map { [$0.name, $0.value, $0.domain, $0.path].map { Array($0.utf8) } }
    #expect(parts == row.parts?.map { Array($0.utf8) })
    guard let cookie else { return }
    let flags = [(cookie.isHostOnly, "h"), (cookie.isSecure, "s"), (cookie.isHTTPOnly, "o")]
    #expect(flags.filter(\.0).map(\.1).joined() == row.flags)
    let end = cookie.expires?.seconds(since: Self.now)
    #expect(row.end < 0 ? end ?? 0 < 0 : end == (row.end == 0 ? nil : row.end))
  }

  @Test(
    "without Path has the directory of the URL",
    arguments: [
      ("https://h.test", "/"), ("https://h.test/", "/"), ("https://h.test/a", "/"),
      ("https://h.test/a/", "/a"), ("https://h.test/a/b/c", "/a/b"),
      ("https://h.test/?q=/a/b", "/"),
      ("https://h.test//", "/"), ("https://h.test/%2Fa/b", "/%2Fa"),
    ])
  func defaultPath(url: String, path: String) throws {
    let cookie = Cookie(
      setCookie: "a=b", from: try HTTPURL(url), at: Self.now, isPublicSuffix: { _ in false })
    #expect(cookie?.path == path)
  }

  @Test("never leaves the host that set it, whatever the field has")
  func scope() throws {
    let url = try HTTPURL("https://www.shop.test/in/page")
    let others = try ["https://shop.evil.test/in/", "https://wwwshop.test/in/", "https://test/in/"]
      .map { try HTTPURL($0) }
    for row in Self.rows {
      let cookie = Cookie(
        setCookie: row.field, from: url, at: Self.now, isPublicSuffix: { $0 == "test" })
      for other in others { #expect(cookie?.matches(other) != true) }
      guard let cookie else { continue }
      let target = try? HTTPURL("https://www.shop.test" + cookie.path)
      let header = target.flatMap { [cookie].header(for: $0, at: 0) } ?? ""
      #expect(header.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x3B })
      #expect([cookie].netscapeFile[1].utf8.filter { $0 == 0x09 }.count == 6)
    }
  }

  @Test("takes the place of the cookie with its name, domain and path")
  func replaced() throws {
    func cookie(_ field: String) throws -> Cookie {
      try #require(
        Cookie(
          setCookie: field, from: try HTTPURL("https://www.shop.test/"), at: Self.now,
          isPublicSuffix: { $0 == "test" }))
    }
    let first = try cookie("a=b")
    #expect(first.isReplaced(by: try cookie("a=c; Secure; Max-Age=0")))
    for other in ["A=b", "a=b; Path=/x", "a=b; Domain=shop.test", "a=b; Domain=www.shop.test"] {
      #expect(!first.isReplaced(by: try cookie(other)))
    }
    #expect(!(try cookie("é=b").isReplaced(by: try cookie("e\u{301}=b"))))
  }
}
