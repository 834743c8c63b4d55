import CoreTestSupport
import Glibc

@testable import Commands
@testable import SDKCore

@Suite("pin import of signed sets")
struct SignedPinImportTests {
  private static let key =
    #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
    + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","#
    + #""d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}"#

  private static func signed(_ key: String, policy: PinPolicy? = nil) throws -> String {
    let pattern = try #require(PinPattern("api.test"))
    let set = PinSet(
      pattern, policy: policy, keys: [PinnedKey(pin: TestChain.pin(key), role: .leaf)])
    return try SignedPinSet.sign(
      [set], with: Array(Self.key.utf8), issued: TestProgram.now, expires: TestProgram.now + 60)
  }

  @Test("of two signed sets of the same second only the first is used, as often as it comes")
  func sameSecond() async throws {
    let program = try await PinUpdateTests.program()
    let key = try program.folder.write(Self.key, to: "team.jwk")
    let words = ["pin", "import", "-", "--signed-by", key, "--yes", "-q"]
    let (one, other) = (try Self.signed("one"), try Self.signed("other"))
    for _ in 0..<2 {
      #expect(try await program.run(words, input: one).status == .status(.success))
    }
    let before = try program.pinSets()
    let run = try await program.run(words, input: other)
    #expect(run.status == .status(.verification))
    #expect(run.errors.contains("and another one of that time was used before"), "\(run)")
    #expect(try program.pinSets() == before)
  }

  @Test("of a dry run are shown, change nothing and are not remembered")
  func dryRun() async throws {
    let program = try await PinUpdateTests.program()
    let before = try program.pinSets()
    let key = try program.folder.write(Self.key, to: "team.jwk")
    let words = ["pin", "import", "-", "--signed-by", key]
    let shown = try await program.run(words + ["--dry-run"], input: try Self.signed("one"))
    #expect(shown.status == .status(.success))
    #expect(shown.output.contains("+ \(TestChain.pin("one"))"), "\(shown)")
    let json = try await program.run(
      words + ["--dry-run", "--json"], input: try Self.signed("other"))
    #expect(json.json?["hosts"] == ["api.test"] && json.json?["added"] == 1)
    #expect(try program.pinSets() == before)
    let other = try await program.run(words + ["--yes"], input: try Self.signed("other"))
    #expect(other.status == .status(.success), "\(other)")
  }

  @Test("a signed set that protects less than before needs a consent of its own")
  func weaker() async throws {
    let program = try await PinUpdateTests.program()
    let before = try program.pinSets()
    let key = try program.folder.write(Self.key, to: "team.jwk")
    let words = ["pin", "import", "-", "--signed-by", key, "--yes"]
    let input = try Self.signed("one", policy: .report)
    let run = try await program.run(words, input: input)
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("! policy: report (before: enforce)\n"), "\(run)")
    #expect(try program.pinSets() == before)
    let json = try await program.run(words + ["--json", "--allow-weaker"], input: input)
    #expect(json.status == .status(.success))
    #expect(json.json?["changes"]?.array?.first?["weaker"] == ["policy"])
    #expect(json.json?["changes"]?.array?.first?["policy"] == "report")
    #expect(try program.pinSets().first?.policy == .report)
  }

  @Test("takes a file for the key, even if its name is a thumbprint")
  func fileOfThumbprint() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let program = try TestProgram([:])
      let thumbprint = "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"
      let words = ["pin", "import", "-", "--signed-by", thumbprint, "--yes"]
      let input = try SignedPinImportTests.signed("one")
      let named = try await program.run(words, input: input)
      try program.folder.write("no key", to: thumbprint)
      guard chdir(program.folder.path) == 0 else { exit(1) }
      let read = try await program.run(words, input: input)
      let isRead = read.status != .status(.success)
      exit(named.status == .status(.success) && isRead ? 42 : 1)
    }
  }
}
