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

  @Test("leaf and intermediate are served and pinned")
  func pins() throws {
    let chain = try Authority(name: "Test", now: Sandbox.now).serverChain(now: Sandbox.now)
    let pins = try chain.pins()
    #expect(try ServedChain(chain).count == 2)
    #expect(Set(pins).count == 2)
    for pin in pins { #expect(pin.hasPrefix("sha256/") && pin.count == 51) }
  }
}
