import Glibc
import POSIX
import Synchronization
import TestSupport
import Testing

@testable import SDKCore

@Suite("What a session keeps of its store")
final class StoreMemoryTests {
  private let memory = StoreMemory<CredentialSlot, SlotContent>()
  private let reads = Mutex(0)

  private func token(_ world: World) throws -> String? {
    let file = world.credentials(.user)
    return try memory.value(of: .user, in: { [file.path] }) { () throws(SDKError) in
      reads.withLock { $0 += 1 }
      return try file.content()
    }.tokens?.accessToken
  }

  @Test("is not read again while the file stays as it is, and at once after this process wrote it")
  func ownWrites() async throws {
    let world = try World()
    #expect(try token(world) == nil)
    try world.store("one")
    #expect(try token(world) == "one")
    for _ in 0..<100 { #expect(try token(world) == "one") }
    #expect(reads.withLock { $0 } == 2)
    try world.store("two")
    #expect(try token(world) == "two")
  }

  @Test("is read again at once after this process has replaced or removed the file in another way")
  func otherWrites() async throws {
    let world = try World()
    try world.store("one")
    #expect(try token(world) == "one")
    let path = world.location.stateFile("profiles/\(world.name)/credentials/user.json").text
    let text = String(decoding: try FileReader.read(path, limit: 1 << 16), as: UTF8.self)
    try AtomicFile.write(Array(text.replacing("one", with: "six").utf8), to: path, mode: 0o600)
    #expect(try token(world) == "six")
    try AtomicFile.remove(path)
    #expect(try token(world) == nil)
  }

  @Test("is read again after another process has removed the file, within a millisecond")
  func foreignWrites() async throws {
    let world = try World()
    try world.store("one")
    #expect(try token(world) == "one")
    let path = world.location.stateFile("profiles/\(world.name)/credentials/user.json").text
    // Not by this library, which would count it as a change of this process.
    #expect(unlink(path) == 0)
    let removed = SystemClock.monotonic()
    while SystemClock.monotonic() - removed < .milliseconds(1) { sched_yield() }
    #expect(try token(world) == nil)
  }
}
