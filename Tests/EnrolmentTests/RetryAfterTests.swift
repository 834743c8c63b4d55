import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

/// Responses with the status 202 (RFC 7030 section 4.2.3).
@Suite("An enrolment service that has not decided")
struct RetryAfterTests {
  /// A profile whose service returns an attribute request, then only 202.
  private func pauses(_ retryAfter: String?) async throws -> (code: SDKError.Code?, [Int64]) {
    let world = try World(["identity.obtain": "est", "identity.url": "https://est.test"])
    let base = "https://est.test/.well-known/est/"
    world.transport.respond(base + "cacerts", .status(200, Self.authorities))
    world.transport.respond(base + "csrattrs", .status(204))
    world.transport.respond(
      base + "simpleenroll",
      FakeTransport.Response(
        status: 202, fields: retryAfter.map { [HTTPField(known: "Retry-After", $0)] } ?? []))
    let service = try world.session().identities
    let error = await #expect(throws: SDKError.self) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(try service.store().names() == [] && service.store().requestedNames() == [])
    return (error?.code, world.pauses)
  }

  private static let thirty = [Int64](repeating: 1, count: 30)

  @Test(
    "is asked 30 times and waited for 5 minutes at most; it may say when, in seconds or as a date",
    arguments: [
      ("0", thirty), ("100", [100, 100, 100]), ("301", []), ("99999999999999999999", []),
      // World.now is Fri, 15 Jan 2027 08:00:00 GMT; the clock goes on by each pause.
      ("Fri, 15 Jan 2027 08:04:00 GMT", [240] + thirty.dropLast()),
      ("Fri, 15 Jan 2027 09:00:00 GMT", []), ("Fri, 15 Jan 1999 09:00:00 GMT", thirty),
      (nil, thirty.map { $0 * 10 }), ("soon", thirty.map { $0 * 10 }),
    ] as [(String?, [Int64])])
  func waits(retryAfter: String?, expected: [Int64]) async throws {
    #expect(try await pauses(retryAfter) == (.busy, expected))
  }

  /// A PKCS #7 message with a certificate.
  static let authorities = """
    MIIBaQYJKoZIhvcNAQcCoIIBWjCCAVYCAQExADALBgkqhkiG9w0BBwGgggE+MIIBOjCB4aADAgECAhREMwYt4yVH\
    32KZnf3HmAVnX/nHYDAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhFU1QgUm9vdDAeFw0yNjExMjIwNzU1NDNaFw0y\
    NjExMjQwODU1NDNaMBMxETAPBgNVBAMMCEVTVCBSb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAg35GFuw\
    U/t4Uln50WdFMN3byYkIAJRKMDVxc8Q6mN8J4vBSMmtC2ALRwj/gxVIA+nM/wyy1P/nZFONkAOPWwqMTMBEwDwYD\
    VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBDp9pDqeZhmImDPAaSqjK6/cbcOWXCqzS4Q2NHXxwXmgIh\
    APpki6SceilNAY0M1o2qyJfxM/WAMCGIfkZGPMCEWgGPMQA=
    """
}
