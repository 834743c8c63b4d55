import JOSE
import TestSupport

@testable import OAuth

@Suite("What a server repeats")
struct SecretEchoTests {
  @Test(
    "has the secrets of the request removed",
    arguments: [
      ("password=longsecret", "no longsecret", "no ‹redacted›"),
      ("password=long+s%C3%A9cret", "long sécret long%20s%C3%A9cret", "‹redacted› ‹redacted›"),
      ("client_secret=abcdef&password=abcdefgh", "abcdefgh abcdef", "‹redacted› ‹redacted›"),
      ("client_secret=longsecret", "longsecret\u{301}", "‹redacted›\u{301}"),
      (#"{"client_secret":"longsecret"}"#, "no longsecret", "no ‹redacted›"),
      // In every form in which a server may quote a request.
      ("password=my+long+secret", "password=my+long+secret", "password=‹redacted›"),
      ("password=my+long+secret", "my%20long+secret my long%20secret", "‹redacted› ‹redacted›"),
      ("password=long%2Bsecret", "long+secret long%2bsecret", "‹redacted› ‹redacted›"),
      (
        "password=s%C3%A9cret%25", "<s%c3%a9cret%25> s%25C3%25a9cret%2525",
        "<‹redacted›> ‹redacted›"
      ),
      ("password=longsecret", "%6Congsecret %256congsecre%25", "‹redacted› %256congsecre%25"),
      ("password=s%C3%A9cret", "s&#195;&#169;cret s\\u00c3\\u00a9cret", "‹redacted› ‹redacted›"),
      ("password=a%25bcdef", "a%bcdef a%25bcdef a%2525bcdef", "‹redacted› ‹redacted› ‹redacted›"),
      (
        "id_token_hint=eyJ.eyJ.sig", "bad id_token_hint eyJ.eyJ.sig", "bad id_token_hint ‹redacted›"
      ),
      ("totp=longsecret&x=y", "no longsecret", "no ‹redacted›"),
      (#"{"my_password":"longsecret"}"#, "no longsecret", "no ‹redacted›"),
      ("request=eyJ.eyJ.sig", "request=eyJ%2EeyJ%2Esig", "request=‹redacted›"),
      // Words that are no secrets, or short ones that no person has chosen.
      ("username=alice&scope=openid", "alice openid", "alice openid"), ("code=abc", "abc", "abc"),
      ("password=", "no password", "no password"), ("", "anything", "anything"),
      // Where a secret is short, nothing is safe to tell.
      ("password=12345", "not 12345", nil), ("client_secret=s", "anything", nil),
    ] as [(String, String, String?)])
  func body(body: String, words: String, kept: String?) throws {
    let echo = SecretEcho(of: try Self.request(body))
    #expect(echo.description(words).map { Array($0.utf8) } == kept.map { Array($0.utf8) })
  }

  @Test("is cut off if a comparison would take too long", .timeLimit(.minutes(10)))
  func endless() {
    let secret = String(repeating: "a", count: 100_000) + "b"
    let text = String(repeating: "a", count: 400_000)
    let kept = text.redacting(secret)
    #expect(kept.hasSuffix("‹redacted›"))
    #expect(kept.utf8.count < 100_000)
    let short = String(text.prefix(40_000))
    #expect(short.redacting("ab" + secret) == short)
  }

  @Test(
    "has both parts of a Basic credential removed, encoded or not",
    arguments: [
      ("my%20app:s%2Fecretive", "my app, s/ecretive", "‹redacted›, ‹redacted›"),
      ("my%20app:s%2Fecretive", "my%20app, s%2Fecretive", "‹redacted›, ‹redacted›"),
      ("app:longsecret", "app longsecret", "app ‹redacted›"),
      ("app:100%sure", "app 100%sure", "app ‹redacted›"),
      ("app:short", "anything", nil), ("app:", "anything", "anything"),
    ] as [(String, String, String?)])
  func basic(pair: String, words: String, kept: String?) throws {
    let credential = Base64.encode(Array(pair.utf8))
    let echo = SecretEcho(of: try Self.request("", "Basic \(credential)"))
    #expect(echo.description(words) == kept)
    #expect(echo.description("<\(credential)>") == kept.map { _ in "<‹redacted›>" })
    for field in ["Bearer \(credential)", "Basic"] {
      #expect(try SecretEcho(of: Self.request("", field)).description("anything") == "anything")
    }
  }

  @Test(
    "keeps the error codes of the specifications, and redacts secrets in others",
    arguments: [
      ("password=grant", "invalid_grant", "invalid_grant"),
      ("password=grant", "bad_grant", "bad_‹redacted›"),
      ("password=longsecret", "longsecret", "‹redacted›"),
    ])
  func codes(body: String, code: String, kept: String) throws {
    #expect(SecretEcho(of: try Self.request(body)).code(code) == kept)
  }

  @Test("is omitted if a short password was sent")
  func exchange() async throws {
    let transport = FakeTransport([
      "https://id.test/token": [
        .json(#"{"error":"invalid_grant","error_description":"12345 is wrong"}"#, status: 400)
      ]
    ])
    let request = try Self.request("grant_type=password&password=12345")
    await expect(.refused, "invalid_grant") {
      _ = try await ServerClient(transport: transport).object(request)
    }
  }

  private static func request(_ body: String, _ credential: String? = nil) throws -> HTTPRequest {
    HTTPRequest(
      .post, try HTTPURL("https://id.test/token"),
      fields: HTTPFields(credential.map { [HTTPField(known: "Authorization", $0)] } ?? []),
      body: .bytes(Array(body.utf8)))
  }
}
