import JOSE
import TestSupport

@testable import OAuth

@Suite("An issuer with a place for the tenant")
struct TenantIssuerTests {
  private static let common = "https://login.test/common/v2.0"
  private static let named = "https://login.test/{tenantid}/v2.0"

  @Test(
    "is that of the requested metadata",
    arguments: [
      (common, named, true), ("https://login.test/contoso.test/v2.0", named, true),
      ("https://login.test/a/b/v2.0", named, false), ("https://login.test//v2.0", named, false),
      ("https://login.test/common", named, false),
      ("https://evil.test/common/v2.0", named, false),
      (common, "https://evil.test/{tenantid}/v2.0", false),
      (common, "https://login.test/{other}/v2.0", false),
      ("https://login.test/v2.0", "https://login.test/{tenantid}/v2.0", false),
    ])
  func metadata(requested: String, named: String, isRead: Bool) throws {
    let issuer = try Issuer(requested)
    let metadata = try? ServerMetadata(["issuer": .string(named)], for: issuer)
    #expect((metadata != nil) == isRead)
    #expect(metadata == nil || metadata?.issuer == issuer)
  }

  @Test(
    "is filled in from the claim tid of an ID token",
    arguments: [
      ("https://login.test/9188040d/v2.0", "9188040d", true),
      ("https://login.test/9188040d/v2.0", "other", false),
      ("https://login.test/9188040d/v2.0", nil, false),
      ("https://login.test/9188040d/v2.0", "", false),
      (common, nil, false), (named, nil, false), (named, "{tenantid}", false),
      ("https://login.test/a/b/v2.0", "a/b", false),
      ("https://evil.test/9188040d/v2.0", "9188040d", false),
    ] as [(String, String?, Bool)])
  func token(issuer: String, tenant: String?, isGood: Bool) async throws {
    let forge = try TokenForge(.rs256)
    let token = try forge.token(["iss": .string(issuer), "tid": tenant.map { .string($0) }])
    #expect(try await Self.subject(of: token, try forge.published()) == (isGood ? "alice" : nil))
  }

  @Test(
    "is that of the key too, if the key is published for one",
    arguments: [
      (named, true), ("https://login.test/t1/v2.0", true), ("https://login.test/t2/v2.0", false),
      ("https://evil.test/{tenantid}/v2.0", false),
    ])
  func key(issuer: String, isGood: Bool) async throws {
    let forge = try TokenForge(.rs256)
    let token = try forge.token(["iss": "https://login.test/t1/v2.0", "tid": "t1"])
    var key = try #require(try forge.published().object)
    key["issuer"] = .string(issuer)
    #expect(try await Self.subject(of: token, .object(key)) == (isGood ? "alice" : nil))
  }

  private static func subject(of token: String, _ key: JSON) async throws -> String? {
    let transport = FakeTransport(["https://login.test/keys": [.keys([key])]])
    let server = try ServerMetadata(
      ["issuer": .string(Self.named), "jwks_uri": "https://login.test/keys"],
      for: try Issuer(Self.common))
    let check = IDTokenCheck(
      server: server, clientID: "app", nonce: TokenForge.nonce,
      accessToken: TokenForge.accessToken)
    return try? await check.subject(of: token, at: TokenForge.now) {
      () throws(OAuthError) in try server.keys(over: transport)
    }
  }
}
