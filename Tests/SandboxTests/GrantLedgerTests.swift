import Testing

@testable import Sandbox

@Suite("The grant ledger lets codes and refresh tokens work once")
struct GrantLedgerTests {
  // The example of RFC 7636 appendix B.
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let redirect = "http://127.0.0.1/callback"

  static func withCode(redirectWasSent: Bool = true) -> (GrantLedger, String) {
    var ledger = GrantLedger()
    let code = ledger.issueCode(
      for: Grant(clientID: "app", subject: "user", scopes: ["read", "write"]),
      redirectURI: redirect, redirectWasSent: redirectWasSent, challenge: challenge, now: 1_000)
    return (ledger, code)
  }

  @Test("a code is redeemed by its client with its verifier in its time")
  func redeems() throws {
    var (ledger, code) = Self.withCode()
    let opened = try ledger.redeem(
      code: code, clientID: "app", redirectURI: Self.redirect, verifier: Self.verifier,
      now: 1_059)
    #expect(opened.grant.scopes == ["read", "write"])
    #expect(ledger.grant(opened.id)?.subject == "user")
  }

  struct Misuse: Sendable, CustomTestStringConvertible {
    var clientID = "app"
    var redirectURI: String? = GrantLedgerTests.redirect
    var verifier: String? = GrantLedgerTests.verifier
    var now = 1_000
    let testDescription: String
  }

  @Test(
    "a code is refused to whoever does not fit",
    arguments: [
      Misuse(clientID: "other", testDescription: "another client"),
      Misuse(redirectURI: "http://127.0.0.1/x", testDescription: "another redirect URI"),
      Misuse(redirectURI: nil, testDescription: "no redirect URI where one was sent"),
      Misuse(verifier: nil, testDescription: "no verifier"),
      Misuse(verifier: String(verifier.reversed()), testDescription: "another verifier"),
      Misuse(now: 1_060, testDescription: "too late"),
    ])
  func refuses(misuse: Misuse) {
    var (ledger, code) = Self.withCode()
    let error = #expect(throws: OAuthError.self) {
      try ledger.redeem(
        code: code, clientID: misuse.clientID, redirectURI: misuse.redirectURI,
        verifier: misuse.verifier, now: misuse.now)
    }
    #expect(error?.code == "invalid_grant")
    #expect(ledger.reuses == 0)
  }

  @Test("the redirect URI may be left out where the request left it out")
  func mayOmitRedirect() throws {
    var (ledger, code) = Self.withCode(redirectWasSent: false)
    _ = try ledger.redeem(
      code: code, clientID: "app", redirectURI: nil, verifier: Self.verifier, now: 1_000)
  }

  @Test("a second use of a code revokes what the first one gave")
  func revokesOnCodeReuse() throws {
    var (ledger, code) = Self.withCode()
    func redeem(_ ledger: inout GrantLedger) throws(OAuthError) -> String {
      try ledger.redeem(
        code: code, clientID: "app", redirectURI: Self.redirect, verifier: Self.verifier,
        now: 1_000
      ).id
    }
    let id = try redeem(&ledger)
    let refresh = ledger.issueRefreshToken(grantID: id)
    #expect(throws: OAuthError.self) { try redeem(&ledger) }
    #expect(ledger.reuses == 1)
    #expect(ledger.grant(id) == nil)
    #expect(ledger.active(refreshToken: refresh) == nil)
  }

  @Test("a refresh token that was rotated away revokes the whole family when it comes back")
  func revokesOnRefreshReuse() throws {
    var ledger = GrantLedger()
    let id = ledger.open(Grant(clientID: "app", subject: "user", scopes: ["read"]))
    let first = ledger.issueRefreshToken(grantID: id)
    #expect(try ledger.check(refreshToken: first, clientID: "app").id == id)
    let second = ledger.rotate(refreshToken: first, grantID: id)
    ledger.record(Self.accessToken(of: id), as: "access", now: 0)
    #expect(second != first)
    #expect(ledger.active(refreshToken: first) == nil)
    #expect(ledger.active(accessToken: "access", now: 0) != nil)
    #expect(throws: OAuthError.self) {
      try ledger.check(refreshToken: first, clientID: "app")
    }
    #expect(ledger.reuses == 1)
    #expect(throws: OAuthError.self) {
      try ledger.check(refreshToken: second, clientID: "app")
    }
    #expect(ledger.active(accessToken: "access", now: 0) == nil)
  }

  @Test("another client neither uses nor revokes a refresh token")
  func keepsClientsApart() throws {
    var ledger = GrantLedger()
    let id = ledger.open(Grant(clientID: "app", subject: "user", scopes: []))
    let token = ledger.issueRefreshToken(grantID: id)
    #expect(throws: OAuthError.self) {
      try ledger.check(refreshToken: token, clientID: "other")
    }
    ledger.revoke(token: token, clientID: "other")
    #expect(ledger.active(refreshToken: token)?.id == id)
    ledger.revoke(token: token, clientID: "app")
    #expect(ledger.active(refreshToken: token) == nil)
  }

  @Test("an access token ends at its time, and alone when it is revoked alone")
  func endsAccessTokens() {
    var ledger = GrantLedger()
    let id = ledger.open(Grant(clientID: "app", subject: "user", scopes: []))
    ledger.record(Self.accessToken(of: id), as: "one", now: 0)
    ledger.record(Self.accessToken(of: id), as: "two", now: 0)
    #expect(ledger.active(accessToken: "one", now: 99) != nil)
    #expect(ledger.active(accessToken: "one", now: 100) == nil)
    ledger.revoke(token: "one", clientID: "app")
    #expect(ledger.active(accessToken: "one", now: 0) == nil)
    #expect(ledger.active(accessToken: "two", now: 0) != nil)
    ledger.revokeAll(ofClient: "app")
    #expect(ledger.active(accessToken: "two", now: 0) == nil)
  }

  @Test("the fault of a login is given out once")
  func givesFaultOnce() {
    var ledger = GrantLedger()
    let id = ledger.open(Grant(clientID: "app", scopes: [], fault: .expired))
    #expect(ledger.takeFault(ofGrant: id) == .expired)
    #expect(ledger.takeFault(ofGrant: id) == nil)
  }

  static func accessToken(of grantID: String) -> AccessToken {
    AccessToken(
      grantID: grantID, clientID: "app", subject: "user", scopes: [], issuedAt: 0,
      expiresAt: 100, keyThumbprint: nil, isImplicit: false)
  }
}
