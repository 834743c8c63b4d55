import JSON
import Pinning
import Primitives
import Testing

@testable import Commands

@Suite("pin import")
struct PinImportTests {
  private static let (a, b) = (TestChain.pin("a"), TestChain.pin("b"))
  private static let curl = "sha256//\(a.base64);sha256//\(b.base64)\n"

  @Test("adds the pins of a document, and shows them first")
  func adds() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "pin", "import", "--format", "curl", "--host", "api.test", "--yes", "-", input: Self.curl)
    expect(
      run, .success,
      errors: """
        sdkctl: api.test \(Self.a) (leaf)
        sdkctl: api.test \(Self.b) (leaf)
        sdkctl: imported 2 pins of 1 hosts

        """)
    let set = try #require(try program.pinSets().first)
    #expect(set.keys.map(\.pin) == [Self.a, Self.b])
    #expect(set.keys.first?.origin == PinOrigin(.import, "curl standard input"))
    #expect(set.keys.first?.added == TestProgram.now)
  }

  @Test("keeps the other pins of the host, unless --replace is given")
  func replaces() async throws {
    let program = try TestProgram([:])
    let old = TestChain.pin("old")
    _ = try await program.run("pin", "add", "\(old)", "--host", "api.test")
    let words = ["pin", "import", "--format", "curl", "--host", "api.test", "--yes", "-"]
    _ = try await program.run(words, input: Self.curl)
    #expect(try program.pinSets().first?.keys.map(\.pin) == [old, Self.a, Self.b])
    _ = try await program.run(words + ["--replace"], input: Self.curl)
    #expect(try program.pinSets().first?.keys.map(\.pin) == [Self.a, Self.b])
  }

  @Test("asks, and changes nothing without consent")
  func asks() async throws {
    let program = try TestProgram([:])
    let words = ["pin", "import", "--format", "curl", "--host", "api.test", "-"]
    #expect(try await program.run(words, input: Self.curl).status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y")
    #expect(try await program.run(words, input: Self.curl).status == .status(.declined))
    #expect(try program.pinSets().isEmpty)
    #expect(program.terminal.prompts == ["Import 2 pins of 1 hosts?"])
    #expect(try await program.run(words, input: Self.curl).status == .status(.success))
    #expect(try program.pinSets().count == 1)
  }

  @Test(
    "refuses a document that is malformed, missing or without a host",
    arguments: [
      (["--format", "curl", "--host", "api.test", "-"], "sha256//AAAA"),
      (["--format", "curl", "-"], "sha256//\(a.base64)"), (["-"], "{"), (["/no/such/file"], ""),
    ])
  func refused(words: [String], input: String) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(["pin", "import", "--yes"] + words, input: input)
    #expect(run.status == .status(.failure))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(try program.pinSets().isEmpty)
  }
}
