import TestSupport

@testable import Trace

@Suite("Text of exchanges")
struct ExchangeTextTests {
  private let text = ExchangeText(secrets: TraceSecrets(pageReaders: [{ _, _ in }]))
  private let mark = "‹redacted›"
  /// `{"alg":"none"}.{"sub":"alice"}` with a signature.
  private let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl"

  private func lines(_ fields: [(String, String)], _ body: String = "") throws -> [String] {
    let fields = HTTPFields(try fields.map { try HTTPField($0.0, $0.1) })
    return text.lines(fields, TracedBody(Array(body.utf8)))
  }

  @Test(
    "does not take an empty secret, a pair without a name and an endless token for what they seem")
  func nothing() throws {
    let secrets = TraceSecrets()
    secrets.learn("", isChosen: true)
    #expect(secrets.redacted("abc") == "abc")
    let text = ExchangeText(secrets: secrets)
    let location = try HTTPField("Location", "/cb?=secret1&a=1")
    #expect(
      text.lines([location], TracedBody([])) == ["Location: /cb?=secret1&a=1"])
  }

  @Test("shows no claims of a token of 64 KiB or more")
  func hugeToken() throws {
    func hasClaims(_ count: Int) throws -> Bool {
      let start = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9."
      let token = start + String(repeating: "A", count: count - start.utf8.count)
      return try lines([("X-Other", token)]).contains { $0.contains("alice") }
    }
    #expect(try hasClaims(65_532))
    #expect(try !hasClaims(65_536))
  }

  @Test(
    "redacts the values of fields that are secrets",
    arguments: [
      ("Authorization", "Bearer opaque-1", "Authorization: Bearer ‹redacted›"),
      ("Cookie", "a=secret1; b=secret2", "Cookie: a=‹redacted›; b=‹redacted›"),
      ("Cookie", "a=\u{301}secret1;\u{301}b=secret2", "Cookie: a=‹redacted›; \u{301}b=‹redacted›"),
      ("Set-Cookie", "a=\u{301}secret1;\u{301}Secure", "Set-Cookie: a=‹redacted›;\u{301}Secure"),
      ("Set-Cookie", "a=secret1; Path=/; Secure", "Set-Cookie: a=‹redacted›; Path=/; Secure"),
      ("X-Api-Key", "secret1", "X-Api-Key: ‹redacted›"),
      ("DPoP", "proof", "DPoP: ‹redacted›"), ("Accept", "text/plain", "Accept: text/plain"),
      (
        "Location", "https://a.test/cb?code=secret1&state=s",
        "Location: https://a.test/cb?code=‹redacted›&state=s"
      ),
      ("Private-Token", "glpat-1", "Private-Token: ‹redacted›"),
      ("Location", "/cb?a=1&code=secret1#x", "Location: /cb?a=1&code=‹redacted›#x"),
      ("Location", "/cb?code&a=1", "Location: /cb?code&a=1"),
      ("Refresh", "0; url=/x#id_token=secret1", "Refresh: 0; url=/x#id_token=‹redacted›"),
      ("Link", "</x?token=secret1>; rel=next", "Link: </x?token=‹redacted›>; rel=next"),
    ])
  func fields(name: String, value: String, line: String) throws {
    #expect(try lines([(name, value)]) == [line])
  }

  @Test(
    "redacts tokens wherever they stand, and shows their claims, each without having seen them before",
    arguments: [
      ("X-Other", "TOKEN", "", true), ("Content-Type", "text/plain", "TOKEN", true),
      ("Content-Type", "application/json", #"{"note":"TOKEN"}"#, true),
      ("Content-Type", "application/json", #"{"note":["TOKEN"]}"#, false),
      ("Content-Type", "application/json", #"[{"a":{"note":"TOKEN"}}]"#, true),
      ("X-Portal-Token", "Bearer TOKEN", "", true), ("DPoP", "TOKEN", "", true),
      ("Content-Type", "application/x-www-form-urlencoded", "xtoken=TOKEN", true),
    ])
  func tokenAnywhere(name: String, value: String, body: String, hasClaims: Bool) throws {
    func filled(_ text: String) -> String {
      text.split(separator: "TOKEN", omittingEmptySubsequences: false).joined(separator: token)
    }
    let shown = try lines([(name, filled(value))], filled(body)).joined(separator: "\n")
    #expect(!shown.contains("c2lnbmF0dXJl"), "\(shown)")
    #expect(shown.contains(mark) && shown.contains("alice") == hasClaims, "\(shown)")
    // What was a token once is one from then on.
    #expect(try lines([("X-Echo", "it was \(token)!")]) == ["X-Echo: it was \(mark)!"])
  }

  @Test("redacts secrets however they are escaped")
  func everywhere() throws {
    _ = try lines([], #"{"password":"hun\"ter2\\x&<y>"}"#)
    #expect(
      try lines([], #"{"note":"hello hun\"ter2\\x&<y>!"}"#)
        == ["", "{", #"  "note": "hello \#(mark)!""#, "}"])
    #expect(
      try lines([("Content-Type", "text/html")], #"<b>hun&quot;ter2\x&amp;&lt;y&#62;</b>"#).last
        == "<b>\(mark)</b>")
    #expect(try lines([], #"var x = "hun\u0022ter2\\x&<y>""#).last == #"var x = "\#(mark)""#)
  }

  @Test("redacts the secrets of a form without a media type")
  func untypedForm() throws {
    #expect(try lines([], "client_secret=abcs&x=1") == ["", "client_secret=\(mark)&x=1"])
    #expect(try lines([], "x=1&code=abcs") == ["", "x=1&code=\(mark)"])
  }

  @Test("shows header and claims of a token, and not its signature")
  func tokens() throws {
    let shown = try lines([("Authorization", "Bearer \(token)")])
    #expect(
      shown == [
        "Authorization: Bearer \(mark)", #"  header: {"alg":"RS256"}"#,
        #"  claims: {"sub":"alice"}"#,
      ])
  }

  @Test("decodes forms, and redacts their secrets")
  func form() throws {
    let shown = try lines(
      [("Content-Type", "application/x-www-form-urlencoded")],
      "grant_type=refresh_token&refresh_token=r%2F1&scope=a+b&client_secret=x&password=pw")
    #expect(
      Array(shown.dropFirst(2)) == [
        "grant_type = refresh_token", "refresh_token = \(mark)", "scope = a b",
        "client_secret = \(mark)", "password = \(mark)",
      ])
  }

  @Test("redacts the secrets of JSON at any depth, and decodes its tokens")
  func json() throws {
    let shown = try lines(
      [("Content-Type", "application/json")],
      #"{"access_token":"\#(token)","list":[{"refresh_token":"refresh-1"}],"code":"http_404"}"#
    ).joined(separator: "\n")
    #expect(!shown.contains("refresh-1"))
    #expect(!shown.contains("c2lnbmF0dXJl"))
    #expect(shown.contains(#""code": "http_404""#))
    #expect(shown.contains("access_token:\n  header: "))
  }

  @Test(
    "redacts the parameters that a profile, a login or their names tell to be secrets",
    arguments: [
      ("pw", true), ("passwd", true), ("j_password", true), ("Pwd", true), ("otp", true),
      ("secretWord", true), ("csrfmiddlewaretoken", true), ("SAMLResponse", true),
      ("configured", true), ("Typed", true), ("user", false), ("token_type", false),
      ("subject_token_type", false), ("scope", false),
    ])
  func names(name: String, isSecret: Bool) throws {
    let secrets = TraceSecrets(names: ["Configured"])
    let text = ExchangeText(secrets: secrets)
    secrets.learn(parameter: "typed")
    for (type, body) in [
      ("application/x-www-form-urlencoded", "\(name)=x1"),
      ("application/json", #"{"\#(name)":"x1"}"#),
      ("application/json", #"[{"a":{"\#(name)":["x1"]}}]"#),
    ] {
      let fields = try HTTPFields([HTTPField("Content-Type", type)])
      let shown = text.lines(fields, TracedBody(Array(body.utf8))).joined()
      #expect(shown.contains("x1") == !isSecret, "\(type) \(shown)")
    }
    let url = text.url(try HTTPURL("https://a.test/?\(name)=x1"))
    #expect(url.contains("x1") == !isSecret)
  }

  @Test("redacts numbers and lists of secrets in JSON, and no times")
  func numbers() throws {
    let shown = try lines(
      [("Content-Type", "application/json")],
      #"{"otp":123456,"passwords":["one-one","two-two"],"client_secret_expires_at":0,"pin":7}"#
    ).joined(separator: "\n")
    #expect(shown.contains("\"otp\": \"\(mark)\"") && shown.contains("\"passwords\": \"\(mark)\""))
    #expect(shown.contains("\"client_secret_expires_at\": 0"))
    #expect(try lines([], "again two-two and 123456") == ["", "again \(mark) and \(mark)"])
  }

  @Test("shows only the size of a multipart body")
  func multipart() throws {
    let shown = try lines(
      [("Content-Type", "multipart/form-data; boundary=b")],
      "--b\r\nContent-Disposition: form-data; name=\"pw\"\r\n\r\nx1\r\n--b--\r\n")
    #expect(shown.count == 3)
    #expect(shown.last == "[61 bytes of multipart/form-data]")
  }

  @Test("shows no page whose secrets nobody learns")
  func page() throws {
    let html = HTTPFields([try HTTPField("Content-Type", "text/html")])
    let shown = ExchangeText(secrets: TraceSecrets()).lines(
      html, TracedBody(Array("<p>a</p>".utf8)))
    #expect(shown == ["Content-Type: text/html", "", "[8 bytes of text/html]"])
  }

  @Test("redacts a received secret in everything after it")
  func learned() throws {
    _ = try lines([("Content-Type", "application/json")], #"{"access_token":"opaque-token"}"#)
    #expect(try lines([("X-Echo", "Bearer opaque-token")]) == ["X-Echo: Bearer \(mark)"])
    #expect(try lines([], "it was opaque-token") == ["", "it was \(mark)"])
    #expect(text.url(try HTTPURL("https://a.test/opaque-token")) == "https://a.test/\(mark)")
  }

  @Test(
    "redacts both halves of a Basic credential, however a server quotes them",
    arguments: [
      (
        "my%20app:s%2Fecretive", "my app and s/ecretive",
        "\u{2039}redacted\u{203A} and \u{2039}redacted\u{203A}"
      ),
      ("my%20app:s%2Fecretive", "s%2Fecretive", "\u{2039}redacted\u{203A}"),
      ("app:longsecret", "app longsecret", "app \u{2039}redacted\u{203A}"),
      ("app:abc", "the secret 'abc' is wrong", "\u{2039}redacted\u{203A}"),
    ])
  func basic(pair: String, quoted: String, shown: String) throws {
    let credential = Base64.encode(Array(pair.utf8))
    #expect(
      try lines([("Authorization", "Basic \(credential)")]) == ["Authorization: Basic \(mark)"])
    #expect(try lines([("X-Error", quoted)]) == ["X-Error: \(shown)"])
    #expect(try lines([("Content-Type", "text/plain")], quoted).last == shown)
  }

  @Test(
    "redacts the line with a short secret, wherever it was sent",
    arguments: [
      ("application/x-www-form-urlencoded", "user=alice&password=ab1"),
      ("application/json", #"{"password":"ab1"}"#),
      (
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nab1\r\n--b--\r\n"
      ),
    ])
  func short(type: String, body: String) throws {
    _ = try lines([("Content-Type", type)], body)
    #expect(
      try lines([("Content-Type", "text/plain")], "one\nnot ab1!\nnot%20a%621\nalice").suffix(4)
        == ["one", mark, mark, "alice"])
    #expect(
      try lines([("Content-Type", "application/json")], #"{"a":"no ab1","b":"x"}"#)
        == ["Content-Type: application/json", "", "{", #"  "a": "\#(mark)","#, #"  "b": "x""#, "}"])
    #expect(text.url(try HTTPURL("https://id.test/?q=ab1")) == mark)
  }

  @Test("shows only the size of a body that is not text")
  func binary() {
    let body = TracedBody([0, 0xFF, 1])
    #expect(text.lines([], body) == ["", "[3 bytes]"])
    let long = TracedBody([UInt8](repeating: 65, count: 100_000))
    #expect(text.lines([], long) == ["", "[100000 bytes]"])
    // Neither are the parameters of a form whose end was not kept.
    #expect(text.parameters(long, "application/x-www-form-urlencoded")?.count == nil)
  }
}
