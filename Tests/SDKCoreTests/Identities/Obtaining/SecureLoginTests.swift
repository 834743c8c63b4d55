import HTTP
import JSON
import TestSupport
import Testing

@testable import SDKCore

@Suite("The login at a Secure Login Server")
struct SecureLoginTests {
  /// The cookies of each request that was sent, in order, after these of the first response.
  private func sent(afterSetting cookies: [String]) async throws -> [String?] {
    let world = try World([
      "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
      "identity.user": "alice",
    ])
    let base = "https://sls.test/SecureLoginServer/"
    world.transport.respond(
      base + "slc3/doLogin?profile=id",
      FakeTransport.Response(
        fields: HTTPFields(cookies.map { HTTPField(known: "Set-Cookie", $0) }),
        body: #"{"inputFields":[{"fieldName":"user","type":"plain"}]}"#),
      .json("{}"))
    world.transport.respond(base + "slc2/getCertificate?profile=id", .status(500))
    let service = try world.session().identities
    _ = await #expect(throws: SDKError.self) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    return world.transport.sent.map { $0.fields["Cookie"] }
  }

  @Test(
    "is continued with the cookies of the server, by the rules of a browser",
    arguments: [
      // Without a path a cookie is for slc3 only; the longer path comes first.
      (["a=1; Path=/SecureLoginServer; Secure", "b=2"], [nil, "b=2; a=1", "a=1"]),
      (["a=1; Path=/; Domain=other.test", "b=2; Path=/; Max-Age=0"], [nil, nil, nil]),
      (["a=1; Path=/", "a=2; Path=/"], [nil, "a=2", "a=2"]),
    ] as [([String], [String?])])
  func cookies(set: [String], sent: [String?]) async throws {
    #expect(try await self.sent(afterSetting: set) == sent)
  }
}
