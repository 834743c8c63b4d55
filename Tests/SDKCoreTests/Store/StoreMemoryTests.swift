import CoreTestSupport

@testable import SDKCore

@Suite("What a session keeps of its store")
final class StoreMemoryTests {
  private let reads = Mutex(0)

  private func token(
    _ world: World, _ memory: StoreMemory<CredentialSlot, SlotContent>
  ) async throws -> String? {
    try await memory.value(of: .user) { () throws(SDKError) in
      reads.withLock { $0 += 1 }
      return try await world.credentials(.user).content()
    }.tokens?.accessToken
  }

  @Test("is not read again within its time, and at once after this process wrote or removed it")
  func ownWrites() async throws {
    let world = try World()
    let memory = StoreMemory<CredentialSlot, SlotContent>(lifetime: .seconds(3600))
    #expect(try await token(world, memory) == nil)
    try await world.store("one")
    // Other tests of this process write documents meanwhile, after which it is read again.
    var isKept = false
    for _ in 0..<1000 where !isKept {
      let before = reads.withLock { $0 }
      #expect(try await token(world, memory) == "one")
      isKept = reads.withLock { $0 } == before
    }
    #expect(isKept)
    try await world.store("two")
    #expect(try await token(world, memory) == "two")
    try await world.credentials(.user).remove()
    #expect(try await token(world, memory) == nil)
  }

  @Test("is read again after its time, and so what another process has written")
  func foreignWrites() async throws {
    let world = try World()
    let memory = StoreMemory<CredentialSlot, SlotContent>(lifetime: .zero)
    try await world.store("one")
    #expect(try await token(world, memory) == "one")
    // Not as a document, which would count as a change of this process.
    try AtomicFile.remove(
      world.location.stateFile("profiles/\(world.name)/credentials/user.json").text)
    #expect(try await token(world, memory) == nil)
  }
}
