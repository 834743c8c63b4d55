import CoreTestSupport

@testable import SDKCore

@Suite("Cache of what was trusted")
struct TrustCacheTests {
  @Test("has a file for each set of authorities, policy and pins")
  func files() throws {
    let world = try World()
    let plain = try world.store.profile(world.name)
    var reporting = plain
    try reporting.set("pinPolicy", to: "report")
    let pin = try #require(Pin(sha256: Array(repeating: 1, count: 32)))
    let keys = [PinnedKey(pin: pin, role: .leaf)]
    let books = [
      PinSets(), PinSets([try #require(PinSet(host: "id.test", keys: keys))]),
      PinSets([try #require(PinSet(host: "id.test", includesSubdomains: true, keys: keys))]),
    ]
    var paths: [StorePath] = []
    for caFile in [nil, "/a.pem", "/b.pem"] {
      for profile in [plain, reporting] {
        for pins in books {
          let cache = TrustCache(world.location, profile, pins, caFile: caFile)
          for (kind, name) in [("issuers", "x"), ("jwks", "x"), ("jwks", "y")] {
            paths.append(try #require(cache.file(kind, name)).path)
          }
        }
      }
    }
    #expect(Set(paths).count == 54)
  }

  @Test("has the authorities of the environment if the profile names none")
  func environment() throws {
    let world = try World()
    let plain = SessionOptions().connections
    var options = plain
    options.environmentCAFile = "/env.pem"
    let settings = TransportSettings(try world.store.profile(world.name), PinSets())
    #expect(settings.caFile(plain) == nil)
    #expect(settings.caFile(options) == "/env.pem")
    try world.set("caFile", to: "/own.pem")
    let own = TransportSettings(try world.store.profile(world.name), PinSets())
    #expect(own.caFile(options) == "/own.pem")
  }
}
