import CoreTestSupport

@testable import Commands

@Suite("Request that a proof is for")
struct ProofTargetTests {
  @Test("is a method and a URL")
  func read() {
    let target = ProofTarget("PATCH  https://API.test/a?b ")
    #expect(target?.method.name == "PATCH")
    #expect(target?.url.description == "https://api.test/a?b")
  }

  @Test(
    "is nothing else",
    arguments: ["", "GET", "https://api.test/", "GET /x", "G@T https://api.test/", "GET a b"])
  func refused(text: String) { #expect(ProofTarget(text) == nil) }
}
