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

  @Test("adds the pins of a document, and shows them first")
  func adds() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "pin", "import", "--format", "curl", "--host", "api.test", "--yes", "-", input: Self.curl)
    expect(
      run, .success,
      errors: """
        sdkctl: api.test:
        sdkctl: + \(Self.a)  leaf          -
        sdkctl: + \(Self.b)  leaf          -
        sdkctl:   policy: enforce
        sdkctl:   expires: never
        sdkctl:   subdomains: none
        sdkctl: imported 2 new pins of 1 host

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
    #expect(program.terminal.prompts == ["Import 2 new pins of 1 host?"])
    #expect(try await program.run(words, input: Self.curl).status == .status(.success))
    #expect(try program.pinSets().count == 1)
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
        "Protect **.api.test less than before (the lines with !)?", "Import 0 new pins of 1 host?",
      ])
    #expect(try program.pinSets() == before)
    let run = try await program.run(
      "pin", "import", "-q", "--yes", "--allow-weaker", "-", input: document)
    expect(run, .success)
    #expect(try program.pinSets() != before)
  }

  @Test("a nearer set that protects less than the wider one is weaker too")
  func nearer() async throws {
    let program = try await Self.enforced()
    for (members, host) in [
      (#""policy":"report""#, "x.api.test"), (#""comment":"no end""#, "api.test"),
      (#""policy":"report""#, "new.test"),
    ] {
      let run = try await program.run(
        "pin", "import", "--yes", "-", input: Self.document(members, host: host))
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.errors.contains("the pins of \(host): they would protect less"), "\(run)")
    }
    #expect(try program.pinSets().count == 1)
  }

  @Test("TSKEnforcePinning=false is weaker")
  func trustKit() async throws {
    let program = try await Self.enforced()
    let list = """
      <plist version="1.0"><dict><key>TSKPinnedDomains</key><dict><key>api.test</key><dict>
      <key>TSKIncludeSubdomains</key><true/><key>TSKEnforcePinning</key><false/>
      <key>TSKPublicKeyHashes</key><array><string>\(Self.a.base64)</string></array>
      </dict></dict></dict></plist>
      """
    let run = try await program.run(
      "pin", "import", "--format", "trustkit", "--yes", "-", input: list)
    #expect(run.status == .status(.usage), "\(run)")
    #expect(run.errors.contains("policy: report (before: enforce)"), "\(run)")
  }

  @Test("what protects as much or more needs no further consent, and nothing new is no change")
  func stricter() async throws {
    let program = try await Self.enforced()
    let document = Self.document(
      #""policy":"enforce","expires":"2027-02-01T00:00:00Z""#)
    expect(
      try await program.run("pin", "import", "--yes", "--strict", "-", input: document), .success,
      errors: """
        sdkctl: **.api.test:
        sdkctl:   \(Self.a)  leaf          -
        sdkctl:   policy: enforce
        sdkctl:   expires: 2027-02-01T00:00:00Z (before: 2027-03-01T00:00:00Z)
        sdkctl:   subdomains: all
        sdkctl: imported 0 new pins of 1 host

        """)
    expect(
      try await program.run("pin", "import", "--yes", "-", input: document), .success,
      errors: "sdkctl: the pins are there already\n")
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

  @Test(
    "refuses a document that is malformed, missing or without a host",
    arguments: [
      (["--format", "curl", "--host", "api.test", "-"], "sha256//AAAA"),
      (["--format", "curl", "-"], "sha256//\(a.base64)"), (["-"], "{"), (["/no/such/file"], ""),
    ])
  func refused(words: [String], input: String) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(["pin", "import", "--yes"] + words, input: input)
    let lacksHost = words == ["--format", "curl", "-"]
    #expect(run.status == .status(lacksHost ? .usage : .failure))
    #expect(run.errors.contains("--host is needed") == lacksHost)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(try program.pinSets().isEmpty)
  }
}
