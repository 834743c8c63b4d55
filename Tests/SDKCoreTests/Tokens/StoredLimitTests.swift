import CoreTestSupport

@testable import SDKCore

@Suite("What is stored of tokens for other services, and of the keys of servers")
struct StoredLimitTests {
  @Test("More than 64 derived credentials are not kept: the next one begins anew")
  func derived() throws {
    let world = try World()
    let derived = DerivedCredentials(try world.session().pinning.environment)
    let credential = DerivedCredential(["token": "t"], expires: World.now + 60)
    for number in 0..<64 { try derived.save(credential, for: ["\(number)"]) }
    #expect((0..<64).allSatisfy { derived.load(["\($0)"]) == credential })
    try derived.save(credential, for: ["64"])
    #expect((0...64).filter { derived.load(["\($0)"]) != nil } == [64])
  }

  @Test("Of each endpoint the latest 64 keys are kept")
  func history() throws {
    let world = try World()
    let file = PinHistoryFile(world.location, world.name)
    let endpoint = PinEndpoint(host: "api.test", port: 443)
    for number in 0..<70 {
      let certificate = CertificateDetails(
        subject: "CN=a", issuer: "CN=root", notBefore: 0, notAfter: World.now + 60,
        pin: Pin(key: [UInt8(number)]))
      let chain = PresentedChain(
        served: [certificate], validated: [certificate], verificationError: nil)
      try file.record([(endpoint, chain)], at: World.now + Int64(number))
    }
    let pins = try file.load().map(\.pin)
    #expect(pins == (6..<70).reversed().map { Pin(key: [UInt8($0)]) })
  }
}
