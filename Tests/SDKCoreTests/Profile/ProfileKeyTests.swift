import JSON
import Testing

@testable import SDKCore

@Suite("Profile keys")
struct ProfileKeyTests {
  private static let parameters =
    "NAME=VALUE, several joined by &, except those that login sets"

  @Test(
    "are those of the manual, each with its kind",
    arguments: zip(
      ProfileKey.all,
      [
        ("issuer", ProfileKey.Kind.issuer, "an https URL without query and fragment"),
        ("resourceURL", .url, "an https URL"),
        ("clientID", .text, "text"),
        ("scope", .words, "words separated by spaces"),
        ("anonymousScope", .words, "words separated by spaces"),
        ("implicitScope", .words, "words separated by spaces"),
        ("par", .boolean, "true or false"),
        ("dpop", .choice(["off", "on", "required"]), "off, on, required"),
        ("jar", .boolean, "true or false"),
        ("caFile", .path, "an absolute path"),
        ("pinPolicy", .choice(["enforce", "report"]), "enforce, report"),
        ("pinReportFile", .path, "an absolute path"),
        ("pinReportURL", .url, "an https URL"),
        ("pinUpdateKey", .text, "text"),
        ("allowedHosts", .hosts, "HOST or HOST:PORT, several separated by commas"),
        ("insecureLoopback", .boolean, "true or false"),
        ("idleTimeout", .seconds, "whole seconds, at most a day"),
        ("redirectPort", .port, "a number from 1 to 65535"),
        ("identityProviders", .words, "words separated by spaces"),
        ("accountURL", .url, "an https URL"),
        ("resetPasswordURL", .url, "an https URL"),
        (
          "defaultAccess", .choice(["user", "implicit", "anonymous", "unauth"]),
          "user, implicit, anonymous, unauth"
        ),
        ("debugDetection", .boolean, "true or false"),
        ("tamperingProtection", .boolean, "true or false"),
        ("rootDetection", .boolean, "true or false"),
        ("emulationDetection", .boolean, "true or false"),
        ("libraryDirectories", .words, "words separated by spaces"),
        ("payloadEncryption", .boolean, "true or false"),
        (
          "serverPublicKey", .encryptionKey,
          "a JWK (P-256 or X25519), or 64 hexadecimal digits (X25519)"
        ),
        ("passwordGrant", .boolean, "true or false"),
        ("narrowedRefresh", .boolean, "true or false"),
        ("discovery", .boolean, "true or false"),
        ("pkce", .boolean, "true or false"),
        ("authorizationParameters", .parameters, parameters),
        ("basicEncoding", .choice(["form", "raw"]), "form, raw"),
        ("expiryMargin", .seconds, "whole seconds, at most a day"),
        ("accountClient", .choice(["id", "secret"]), "id, secret"),
        ("applicationID", .text, "text"),
        (
          "identity.obtain", .choice(["est", "sap", "sls", "command"]), "est, sap, sls, command"
        ),
        ("identity.when", .choice(["asked", "refused"]), "asked, refused"),
        ("identity.refusedStatus", .words, "words separated by spaces"),
        ("identity.url", .url, "an https URL"),
        ("identity.attributesURL", .url, "an https URL"),
        ("identity.requestURL", .url, "an https URL"),
        ("identity.retireURL", .url, "an https URL"),
        ("identity.command", .text, "text"),
        (
          "identity.key",
          .choice(["p256", "p384", "p521", "rsa2048", "rsa3072", "rsa4096", "ed25519"]),
          "p256, p384, p521, rsa2048, rsa3072, rsa4096, ed25519"
        ),
        ("identity.subject", .text, "text"),
        ("identity.names", .words, "words separated by spaces"),
        ("identity.label", .text, "text"),
        ("identity.user", .text, "text"),
        ("identity.passwordFile", .path, "an absolute path"),
        (
          "identity.token", .choice(["user", "implicit", "anonymous"]), "user, implicit, anonymous"
        ),
        ("identity.profile", .text, "text"),
        (
          "reauthenticate", .choice(["refresh", "form", "fido", "none"]),
          "refresh, form, none"
        ),
        ("form.url", .url, "an https URL"),
        ("form.page", .boolean, "true or false"),
        ("form.userField", .text, "text"),
        ("form.passwordField", .text, "text"),
        ("form.parameters", .formFields, "NAME=VALUE, several joined by &"),
        ("form.questions", .words, "words separated by spaces"),
        ("form.user", .text, "text"),
        ("form.passwordFile", .path, "an absolute path"),
        ("form.hosts", .hosts, "HOST or HOST:PORT, several separated by commas"),
        ("form.cookies", .words, "words separated by spaces"),
        ("form.successURL", .url, "an https URL"),
        ("form.pageText", .text, "text"),
        ("form.logoutURL", .url, "an https URL"),
        ("form.provider", .choice(["cookies", "jwt"]), "cookies, jwt"),
        ("form.jwt", .tokenPlace, "header:NAME, member:NAME or cookie:NAME"),
        ("endpoints.authorization", .url, "an https URL"),
        ("endpoints.pushedAuthorization", .url, "an https URL"),
        ("endpoints.deviceAuthorization", .url, "an https URL"),
        ("endpoints.token", .url, "an https URL"),
        ("endpoints.registration", .url, "an https URL"),
        ("endpoints.revocation", .url, "an https URL"),
        ("endpoints.introspection", .url, "an https URL"),
        ("endpoints.userinfo", .url, "an https URL"),
        ("endpoints.jwks", .url, "an https URL"),
        ("endpoints.endSession", .url, "an https URL"),
        ("endpoints.refresh", .url, "an https URL"),
        ("endpoints.account", .url, "an https URL"),
        ("endpoints.passwordReset", .url, "an https URL"),
      ]))
  func table(key: ProfileKey, row: (name: String, kind: ProfileKey.Kind, description: String)) {
    #expect(key.name == row.name)
    #expect(key.kind == row.kind)
    #expect(key.expected == row.description)
    #expect(!key.summary.isEmpty && !key.summary.hasSuffix("."))
    #expect(ProfileKey.named(row.name)?.summary == key.summary)
  }

  @Test("are as many as the table above, and no others")
  func count() {
    #expect(ProfileKey.all.count == 83)
    #expect(ProfileKey.named("nope") == nil)
    #expect(ProfileKey.named("endpoints") == nil)
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
      ("defaultAccess", "unauth", "unauth"),
      ("endpoints.token", "https://id.test/token", "https://id.test/token"),
      (
        "endpoints.refresh", "https://id.test/t?q=oauth2/token",
        "https://id.test/t?q=oauth2/token"
      ),
      ("expiryMargin", "0", 0), ("expiryMargin", "86400", 86400),
      ("authorizationParameters", "mobile=1", "mobile=1"),
      ("authorizationParameters", "a=b%20c&a=d&e", "a=b%20c&a=d&e"),
    ] as [(String, String, JSON)])
  func good(name: String, text: String, value: JSON) throws {
    let key = try #require(ProfileKey.named(name))
    #expect(try key.value(from: text) == value)
    #expect(key.text(of: value) == text)
  }

  @Test(
    "refuse another text, and say what was expected",
    arguments: [
      ("issuer", "https://id.test?a", "an issuer has no query and no fragment"),
      ("issuer", "id.test", "it has no scheme; write https://HOST/PATH"),
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
      // Not `fido`, which this version does not have.
      ("reauthenticate", "x", "expected refresh, form, none"),
      ("reauthenticate", "fido", "this version has no FIDO authenticator"),
      ("defaultAccess", "device", "expected user, implicit, anonymous, unauth"),
      ("insecureLoopback", "yes", "expected true or false"),
      ("insecureLoopback", "True", "expected true or false"),
      ("redirectPort", "0", "expected a number from 1 to 65535"),
      ("redirectPort", "65536", "expected a number from 1 to 65535"),
      ("redirectPort", "+80 ", "expected a number from 1 to 65535"),
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
    let key = try #require(ProfileKey.named(name))
    await expect(.invalidConfiguration, "could not use the value of '\(name)': \(cause)") {
      _ = try key.value(from: text)
    }
  }

  @Test("refuse a value of another type in a document", arguments: ProfileKey.all)
  func types(key: ProfileKey) {
    let values: [JSON] = [.null, 1, true, "\u{1}", [1], [:], ["a": 1], []]
    for value in values {
      let fits =
        (key.kind == .boolean && value == true) || (key.kind == .port && value == 1)
        || (key.kind == .seconds && value == 1)
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
