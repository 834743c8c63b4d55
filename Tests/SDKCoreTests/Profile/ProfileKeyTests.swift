import CoreTestSupport

@testable import SDKCore

@Suite("Profile keys")
struct ProfileKeyTests {
  private static let parameters =
    "NAME=VALUE, several joined by &, except those that login sets"

  /// Which there are and what they accept, `sdkctl-profiles(7)` lists; it is generated and compared.
  @Test(
    "have a summary without a full stop, and what they accept", arguments: SettingTable.core.keys)
  func summaries(key: ProfileKey) {
    #expect(!key.expected.isEmpty)
    #expect(!key.summary.isEmpty && !key.summary.hasSuffix("."))
    #expect(SettingTable.core.named(key.name)?.summary == key.summary)
  }

  @Test(
    "have a default that can be set, as it is typed",
    arguments: [
      ("idleTimeout", "60"), ("pinPolicy", "enforce"), ("defaultAccess", "user"), ("pkce", "true"),
      ("seal.passcodeAttempts", "5"), ("par", "false"), ("scope", nil),
      ("allowedHosts", nil), ("endpoints.token", nil), ("authorizationParameters", nil),
    ] as [(String, String?)])
  func defaults(name: String, text: String?) throws {
    let key = try #require(SettingTable.core.named(name))
    #expect(key.defaultText == text)
    if let text { _ = try key.value(from: text) }
  }

  @Test("are one property each, but for those of endpoints and passcodes")
  func count() {
    let others = SettingTable.core.keys.count { key in
      ["endpoints.", "seal.passcode"].contains { key.name.hasPrefix($0) }
    }
    // The settings of passcodes are one property.
    let properties = Mirror(reflecting: ProfileKeys.shared).children.count
    #expect(properties - 1 == SettingTable.core.keys.count - others)
    #expect(Set(SettingTable.core.keys.map(\.name)).count == SettingTable.core.keys.count)
    #expect(SettingTable.core.named("nope") == nil)
    #expect(SettingTable.core.named("endpoints") == nil)
  }

  @Test(
    "read what is typed, and write it back",
    arguments: [
      ("issuer", "https://id.test/t", "https://id.test/t"),
      ("issuer", "http://127.0.0.1", "http://127.0.0.1"),
      ("resourceURL", "https://api.test?a=b", "https://api.test?a=b"),
      ("clientID", "a b", "a b"), ("scope", "openid profile", "openid profile"),
      ("caFile", "/etc/ca.pem", "/etc/ca.pem"), ("pinPolicy", "report", "report"),
      ("allowedHosts", "a.test,B.test:8443", .strings(["a.test", "B.test:8443"])),
      ("insecureLoopback", "true", true), ("insecureLoopback", "false", false),
      ("redirectPort", "1", 1), ("redirectPort", "65535", 65535),
      ("redirectURI", "authapp://Default/Authcallback", "authapp://Default/Authcallback"),
      ("redirectURI", "https://app.test/cb", "https://app.test/cb"),
      ("defaultAccess", "unauth", "unauth"),
      ("endpoints.token", "https://id.test/token", "https://id.test/token"),
      (
        "endpoints.refresh", "https://id.test/t?q=oauth2/token",
        "https://id.test/t?q=oauth2/token"
      ),
      ("expiryMargin", "0", 0), ("expiryMargin", "86400", 86400),
      ("authorizationParameters", "mobile=1", "mobile=1"),
      ("tokenParameters", "tenant=a&key=@/etc/key", "tenant=a&key=@/etc/key"),
      ("authorizationParameters", "a=b%20c&a=d&e", "a=b%20c&a=d&e"),
    ] as [(String, String, JSON)])
  func good(name: String, text: String, value: JSON) throws {
    let key = try #require(SettingTable.core.named(name))
    #expect(try key.value(from: text) == value)
    #expect(key.text(of: value) == text)
  }

  @Test(
    "refuse another text, and say what was expected",
    arguments: [
      ("issuer", "https://id.test?a", "an issuer has no query and no fragment"),
      ("issuer", "id.test", "it has no scheme; write https://id.test/"),
      ("resourceURL", "ftp://a.test", "its scheme is not https"),
      ("resourceURL", "https://me@a.test", "it holds user information before '@'"),
      ("resourceURL", "", "expected an https URL"),
      ("endpoints.jwks", "/jwks", "it has no scheme; write https://HOST/PATH"),
      ("clientID", "", "expected text"), ("clientID", "a\nb", "expected text"),
      ("scope", "a\u{7F}", "expected words separated by spaces"),
      ("caFile", "ca.pem", "expected an absolute path"),
      ("caFile", "", "expected an absolute path"),
      ("pinPolicy", "off", "expected enforce, report"),
      ("pinPolicy", "", "expected enforce, report"),
      ("defaultAccess", "device", "expected user, implicit, anonymous, unauth"),
      ("insecureLoopback", "yes", "expected true or false"),
      ("insecureLoopback", "True", "expected true or false"),
      ("redirectPort", "0", "expected a number from 1 to 65535"),
      ("redirectPort", "65536", "expected a number from 1 to 65535"),
      ("redirectPort", "+80 ", "expected a number from 1 to 65535"),
      (
        "redirectURI", "javascript:alert(1)",
        "expected a redirect URI, such as com.example.app:/callback"
      ),
      (
        "redirectURI", "http://app.test/",
        "expected a redirect URI, such as com.example.app:/callback"
      ),
      ("allowedHosts", "", "expected HOST or HOST:PORT, several separated by commas"),
      ("allowedHosts", "a.test/x", "expected HOST or HOST:PORT, several separated by commas"),
      ("allowedHosts", "a.test,b b", "expected HOST or HOST:PORT, several separated by commas"),
      ("allowedHosts", "https://a.test", "expected HOST or HOST:PORT, several separated by commas"),
      ("expiryMargin", "-1", "expected whole seconds, at most a day"),
      ("expiryMargin", "86401", "expected whole seconds, at most a day"),
      ("expiryMargin", "10m", "expected whole seconds, at most a day"),
      ("authorizationParameters", "", "expected \(parameters)"),
      ("authorizationParameters", "=1", "expected \(parameters)"),
      ("authorizationParameters", "a=%", "expected \(parameters)"),
      ("authorizationParameters", "a=1&state=x", "expected \(parameters)"),
      ("authorizationParameters", "code%5Fchallenge=x", "expected \(parameters)"),
      ("authorizationParameters", "redirect_uri=x", "expected \(parameters)"),
      ("allowedHosts", "a.test?b", "expected HOST or HOST:PORT, several separated by commas"),
    ])
  func bad(name: String, text: String, cause: String) async throws {
    let key = try #require(SettingTable.core.named(name))
    await expect(.invalidConfiguration, "could not use the value of '\(name)': \(cause)") {
      _ = try key.value(from: text)
    }
  }

  @Test("refuse a value of another type in a document", arguments: SettingTable.core.keys)
  func types(key: ProfileKey) {
    let values: [JSON] = [.null, 1, true, "\u{1}", [1], [:], ["a": 1], []]
    for value in values {
      let fits =
        (value == true && key.expected == "true or false")
        || (value == 1 && (key.expected.contains("number") || key.expected.contains("seconds")))
      let error: SDKError? = {
        do throws(SDKError) {
          try key.check(value)
          return nil
        } catch { return error }
      }()
      let expected =
        fits
        ? nil
        : "could not use the value of '\(key.name)': expected \(key.expected)"
      #expect(error?.message == expected, "\(value)")
    }
  }
}
