import TestSupport

@testable import OAuth

@Suite("Issuer")
struct IssuerTests {
  @Test(
    "keeps its text, and names the places of its metadata in order",
    arguments: [
      (
        text: "https://id.test", origin: "https://id.test",
        places: [
          "https://id.test/.well-known/openid-configuration",
          "https://id.test/.well-known/oauth-authorization-server",
        ]
      ),
      (
        text: "https://ID.test/", origin: "https://id.test",
        places: [
          "https://id.test/.well-known/openid-configuration",
          "https://id.test/.well-known/oauth-authorization-server",
        ]
      ),
      (
        text: "https://id.test:8443/a/b", origin: "https://id.test:8443",
        places: [
          "https://id.test:8443/a/b/.well-known/openid-configuration",
          "https://id.test:8443/.well-known/oauth-authorization-server/a/b",
          "https://id.test:8443/.well-known/openid-configuration/a/b",
        ]
      ),
      // RFC 8414 section 3.1: a final slash goes before the path is moved.
      (
        text: "https://id.test/a/", origin: "https://id.test",
        places: [
          "https://id.test/a/.well-known/openid-configuration",
          "https://id.test/.well-known/oauth-authorization-server/a",
          "https://id.test/.well-known/openid-configuration/a",
        ]
      ),
      (
        text: "http://127.0.0.1:81", origin: "http://127.0.0.1:81",
        places: [
          "http://127.0.0.1:81/.well-known/openid-configuration",
          "http://127.0.0.1:81/.well-known/oauth-authorization-server",
        ]
      ),
    ])
  func places(text: String, origin: String, places: [String]) throws {
    let issuer = try Issuer(text)
    #expect(issuer.text == text)
    #expect(issuer.description == text)
    #expect(issuer.url.origin == origin)
    #expect(issuer.metadataURLs.map(\.description) == places)
  }

  @Test("has the A-labels of an international host, and nothing else changes")
  func international() throws {
    #expect(try Issuer("https://BÜCHER.test:8443/A/").text == "https://xn--bcher-kva.test:8443/A/")
    #expect(try Issuer("HTTPS://Id.test/A").text == "HTTPS://Id.test/A")
  }

  @Test(
    "is refused if it is not a URL, or has a query or a fragment",
    arguments: [
      ("https://id.test?a=b", "an issuer has no query and no fragment"),
      ("https://id.test/?", "an issuer has no query and no fragment"),
      ("https://id.test/\u{e9}", "an issuer is written in ASCII"),
      ("https://id.test/e\u{301}", "an issuer is written in ASCII"),
      ("https://id.test#", "an issuer has no query and no fragment"),
      ("https://id.test/?\u{301}", "an issuer has no query and no fragment"),
      ("https://id.test/#\u{301}", "an issuer has no query and no fragment"),
      ("https://id.test/#x", "an issuer has no query and no fragment"),
      ("id.test", "it has no scheme; write https://id.test/"),
      ("ftp://id.test", "its scheme is not https"),
      ("https://me@id.test", "it holds user information before '@'"),
      ("", "it has no scheme; write https://HOST/PATH"),
    ])
  func refused(text: String, cause: String) {
    let error = #expect(throws: HTTPURLError.self) { _ = try Issuer(text) }
    #expect(error?.description == cause)
  }
}
