import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile copy")
struct ProfileCopyTests {
  @Test("copies settings and pins, and no secret")
  func copy() async throws {
    let program = try TestProgram(["scope": "a b"])
    try await program.register()
    try await program.store("u1")
    _ = try await program.run("pin", "add", "\(TestChain.pin("a"))", "--host", "api.test", "--yes")
    expect(
      try await program.run("profile", "copy", "work", "lab"), .success,
      errors: "sdkctl: created the profile 'lab' with the settings and pins of 'work'\n")
    #expect(try program.members(of: "lab") == program.members(of: "work"))
    let pins = try await program.run("-p", "lab", "pin", "list")
    #expect(pins.output.contains("\(TestChain.pin("a"))"))
    #expect(!program.folder.exists("store/state/profiles/lab"))
    #expect(try program.store.current()?.description == "work")
  }
}
