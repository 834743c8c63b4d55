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

  @Test(
    "a code is refused to whoever does not fit",
    arguments: [
      ("other", redirect, verifier, 1_000), ("app", "http://127.0.0.1/x", verifier, 1_000),
      ("app", nil, verifier, 1_000), ("app", redirect, nil, 1_000),
      ("app", redirect, String(verifier.reversed()), 1_000), ("app", redirect, verifier, 1_060),
    ] as [(String, String?, String?, Int)])
  func refuses(clientID: String, redirectURI: String?, verifier: String?, now: Int) {
    var (ledger, code) = Self.withCode()
    let error = #expect(throws: OAuthError.self) {
      try ledger.redeem(
        code: code, clientID: clientID, redirectURI: redirectURI, verifier: verifier, now: now)
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
    // Of a request that was answered meanwhile.
    ledger.record(Self.accessToken(of: id), as: "late", now: 0)
    #expect(ledger.active(accessToken: "late", now: 0) == nil)
  }

  static func accessToken(of grantID: String) -> AccessToken {
    AccessToken(
      grantID: grantID, clientID: "app", subject: "user", scopes: [], issuedAt: 0,
      expiresAt: 100, keyThumbprint: nil, isImplicit: false)
  }
}
