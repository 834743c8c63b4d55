import JSON
import Pinning
import Primitives
import Testing

@testable import Commands
@testable import SDKCore

@Suite("pin import")
struct PinImportTests {
  private static let (a, b) = (TestChain.pin("a"), TestChain.pin("b"))
  private static let curl = "sha256//\(a.base64);sha256//\(b.base64)\n"

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

  /// A host that is enforced until March.
  private static func enforced() async throws -> TestProgram {
    let program = try TestProgram([:])
    let pattern = try #require(PinPattern("**.api.test"))
    let set = PinSet(
      pattern, expires: Timestamp(1_803_859_200), policy: .enforce,
      keys: [PinnedKey(pin: a, role: .leaf)])
    try PinStore(program.store.location, program.name).save(PinSets([set]))
    return program
  }

  /// The members of a document that protect less than those of ``enforced()``, and their lines.
  private static let losses: [(members: String, line: String)] = [
    (#""policy":"report""#, "policy: report (before: enforce)"),
    (
      #""expires":"2028-01-01T00:00:00Z""#,
      "expires: 2028-01-01T00:00:00Z (before: 2027-03-01T00:00:00Z)"
    ),
  ]

  private static func document(_ members: String, host: String = "**.api.test") -> String {
    #"{"version":1,"hosts":{"\#(host)":{\#(members),"keys":[{"pin":"\#(a)"}]}}}"#
  }

  @Test(
    "what protects less than before is refused with --yes and --strict, and asked for by itself",
    arguments: losses)
  func weaker(members: String, line: String) async throws {
    let program = try await Self.enforced()
    let (before, document) = (try program.pinSets(), Self.document(members))
    for words in [["--yes"], ["--strict"], ["--strict", "--yes"]] {
      let run = try await program.run(["pin", "import", "-q", "-"] + words, input: document)
      #expect(run.status == .status(.usage))
      #expect(
        run.errors.hasSuffix(
          """
          sdkctl: error: could not change the pins of **.api.test: they would protect less than \
          before
            **.api.test: \(line)
          sdkctl: hint: sdkctl pin import -q - \(words.joined(separator: " ")) --allow-weaker

          """), "\(run)")
    }
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y", "n")
    let declined = try await program.run("pin", "import", "-q", "-", input: document)
    #expect(declined.status == .status(.declined))
    #expect(declined.errors.contains("sdkctl: ! \(line)\n"), "\(declined)")
    let half = try await program.run("pin", "import", "-", input: document)
    #expect(half.status == .status(.declined))
    #expect(
      program.terminal.prompts == [
        "Protect **.api.test less than before (the lines with !)?",
        "Protect **.api.test less than before (the lines with !)?",
        "Change the settings of 1 host?",
      ])
    #expect(try program.pinSets() == before)
    let run = try await program.run(
      "pin", "import", "-q", "--yes", "--allow-weaker", "-", input: document)
    expect(run, .success)
    #expect(try program.pinSets() != before)
  }

  @Test("refuses to write over pins that were changed while a person was asked")
  func changed() async throws {
    let program = try await Self.enforced()
    let store = PinStore(program.store.location, program.name)
    program.terminal.connect(.input, .errors)
    program.terminal.onPrompt { _ in
      try? store.save(PinSets())
      return "y"
    }
    // The wider set has gone, so that the new one would not be compared with what it replaces.
    let run = try await program.run(
      "pin", "import", "-", input: Self.document(#""comment":"x""#, host: "x.api.test"))
    #expect(run.status == .status(.configuration))
    #expect(run.errors.contains("they were changed meanwhile"), "\(run)")
    #expect(try program.pinSets().isEmpty)
  }
}
