import Testing

@testable import Sandbox

@Suite("The authority makes chains that are good for ninety days")
struct CertificatesTests {
  @Test("a chain is fresh until its last day")
  func freshness() throws {
    let now = 1_800_000_000
    let chain = try Authority(name: "Test", now: now).serverChain(now: now)
    #expect(chain.isFresh(at: now))
    #expect(chain.isFresh(at: now + 89 * 86_400 - 1))
    #expect(!chain.isFresh(at: now + 89 * 86_400 + 1))
  }
}
