import Checkup
import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("The findings of a shared store")
struct SharedStoreFindingsTests {
  @Test("say that it was not asked, if no server may be asked")
  func offline() async throws {
    let world = try World()
    try world.folder.write(
      #"{"version":2,"place":"etcd:https://etcd.test/p","id":"one"}"#,
      to: "state/profiles/work/place.json")
    func messages(isOnline: Bool) async throws -> [String] {
      let store = try world.session().environment.store
      return await SharedStoreFindings(store, world.name, isOnline: isOnline).findings.map(
        \.text)
    }
    let message = "the tokens are in a shared store, which was not asked"
    #expect(try await messages(isOnline: false) == [message])
    #expect(try await !messages(isOnline: true).contains(message))
  }
}
