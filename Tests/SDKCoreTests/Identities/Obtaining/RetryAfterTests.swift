import CoreTestSupport

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

  @Test("is asked 30 times at most")
  func count() async throws {
    let (code, pauses) = try await pauses("0")
    #expect(code == .busy)
    #expect(pauses == Array(repeating: 1, count: 30))
  }

  @Test("is waited for 5 minutes at most")
  func time() async throws {
    #expect(try await pauses("100") == (.busy, [100, 100, 100]))
    #expect(try await pauses("301") == (.busy, []))
    #expect(try await pauses("99999999999999999999") == (.busy, []))
  }

  @Test("may say when to ask again as a date")
  func date() async throws {
    // World.now is Fri, 15 Jan 2027 08:00:00 GMT; the clock goes on by each pause.
    #expect(try await pauses("Fri, 15 Jan 2027 08:04:00 GMT") == (.busy, [240] + ones(29)))
    #expect(try await pauses("Fri, 15 Jan 2027 09:00:00 GMT") == (.busy, []))
    #expect(try await pauses("Fri, 15 Jan 1999 09:00:00 GMT") == (.busy, ones(30)))
  }

  @Test("need not say when to ask again")
  func none() async throws {
    #expect(try await pauses(nil) == (.busy, Array(repeating: 10, count: 30)))
    #expect(try await pauses("soon") == (.busy, Array(repeating: 10, count: 30)))
  }

  private func ones(_ count: Int) -> [Int64] { Array(repeating: 1, count: count) }

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
