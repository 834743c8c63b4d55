import CoreTestSupport

@testable import Commands

@Suite("Keys that are to be pinned")
struct PinAdditionTests {
  @Test(
    "for subdomains join the set of all of them, unless their pattern names some",
    arguments: [
      ("api.test", true, "**.api.test"), ("*.api.test", true, "*.api.test"),
      ("api.test", false, "api.test"),
    ])
  func target(pattern: String, isWide: Bool, target: String) throws {
    var addition = PinAddition()
    addition.includesSubdomains = isWide
    let pattern = try #require(PinPattern(pattern))
    #expect(addition.target(of: pattern, in: PinSets()).description == target)
  }
}
