import TestSupport

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

  @Test("a chain is kept if its file has the leaf and the intermediate, and nothing else")
  func kept() throws {
    let folder = try TemporaryFolder()
    let directory = try StateDirectory(folder.path, Environment())
    let chain = try directory.serverChain()
    #expect(try directory.serverChain().servedPEM == chain.servedPEM)
    try directory.write(chain.servedPEM + chain.rootPEM, to: .chain)
    #expect(try directory.serverChain().servedPEM != chain.servedPEM)
  }

  @Test("the directory is where the command line says, or the environment")
  func directory() throws {
    let environment = Environment(["XDG_STATE_HOME": "/state", "HOME": "/home"])
    #expect(try StateDirectory(nil, environment).path == "/state/sdkctl/sandbox")
    #expect(throws: Failure.self) { try StateDirectory("", environment) }
  }
}
