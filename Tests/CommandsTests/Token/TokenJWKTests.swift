import CoreTestSupport
import Glibc

@testable import Commands

@Suite("token jwk")
struct TokenJWKTests {
  @Test("writes no key through a symbolic link, wherever it leads")
  func link() async throws {
    let program = try TestProgram([:])
    let place = program.folder.file("link")
    for target in ["missing", "old"] {
      symlink(target, place)
      if target == "old" { try program.folder.write("old", to: "old") }
      let run = try await program.run(
        "token", "jwk", "--generate", "ES256", "--replace", "--output", place)
      #expect(run.status == .status(.failure), "\(run)")
      #expect(run.errors.contains("is a symbolic link"), "\(run)")
      #expect(run.output == "")
      unlink(place)
    }
    #expect(!program.folder.exists("missing"))
    #expect(try program.folder.text(of: "old") == "old")
  }
}
