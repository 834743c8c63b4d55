import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("pin add")
struct PinAddTests {
  private static func program() throws -> TestProgram {
    let program = try TestProgram([:])
    program.trust("api.test")
    return program
  }

  private static let chain = """
    sdkctl: api.test shows this chain:
    sdkctl:   * leaf          \(TestChain.pin("api.test leaf"))  CN=api.test leaf, until 2027-01-16
    sdkctl:     intermediate  \(TestChain.pin("issuing"))  CN=issuing, until 2027-01-16
    sdkctl:     root          \(TestChain.pin("root"))  CN=root, until 2027-01-16

    """

  @Test("gives a pin one role, and refuses two")
  func roles() async throws {
    let program = try Self.program()
    expect(
      try await program.run(
        "pin", "add", "\(TestChain.pin("a"))", "\(TestChain.pin("b"))", "--role", "leaf", "--role",
        "backup",
        "--host", "api.test", "--yes"), .usage,
      errors: """
        sdkctl: warning: a pin has one role: --role is given more than once
        sdkctl: warning: a pin has one role: --role is given more than once
        sdkctl: error: could not pin 2 of 2 sources

        """)
    #expect(try program.pinSets() == [])
  }

  @Test("never pins a chain that is not trusted, and shows what was served")
  func untrusted() async throws {
    let program = try TestProgram([:])
    program.show(.success(.untrusted("api.test")), at: "api.test:443")
    expect(
      try await program.run("pin", "add", "api.test", "--yes"), .tls,
      errors: """
        sdkctl: error: could not pin api.test: its chain is not trusted: self-signed certificate
          served by api.test:
          \(TestChain.pin("api.test leaf"))  CN=api.test leaf, until 2027-01-16
        sdkctl: hint: sdkctl -p work profile set caFile=/PATH/TO/CA.pem

        """)
    #expect(try program.pinSets().isEmpty)
  }

  @Test(
    "of a server that sends its certificate alone names the issuer if the authorities are known")
  func incomplete() async throws {
    let program = try TestProgram([:])
    let advice =
      "hint: the administrator of api.test must add the certificate of CN=issuer to the chain"
    for (file, address, isIncomplete) in [
      ("/ca.pem", nil, true), (nil, "http://ca.test/i.cer", true), (nil, nil, false),
    ] as [(String?, String?, Bool)] {
      program.setVariable("SSL_CERT_FILE", file)
      program.show(.success(.incomplete("api.test", published: address)), at: "api.test:443")
      let run = try await program.run("pin", "add", "api.test", "--yes")
      #expect(run.status == .status(.tls))
      #expect(run.errors.contains(advice) == isIncomplete, "\(run.errors)")
      #expect(run.errors.contains("caFile=") == !isIncomplete)
    }
  }

  @Test("of another host's certificate has no hint at authorities, which would not help")
  func otherHost() async throws {
    let program = try TestProgram([:])
    program.show(.success(.ofAnotherHost("api.test")), at: "api.test:443")
    let run = try await program.run("pin", "add", "api.test", "--yes")
    #expect(run.status == .status(.tls))
    #expect(run.errors.contains("is for other.test, not api.test"))
    #expect(!run.errors.contains("hint:"))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let words: [String]
    let exit: ExitCode
    let error: String
    var testDescription: String { words.joined(separator: " ") }
  }

  struct File: Sendable, CustomTestStringConvertible {
    let content: [String]
    var roles: [PinRole] = []
    /// The labels of the pinned keys, and their roles.
    let pinned: [String: PinRole]
    var question = ""
    var testDescription: String { "\(pinned) \(roles)" }
  }

  private static let (leaf, issuing, root) = (ChainFile.leaf, ChainFile.issuing, ChainFile.root)

  @Test(
    "of a file pins the keys that have the wanted role in their certificates, if the person agrees",
    arguments: [
      File(
        content: [leaf, issuing, root], pinned: ["CN=api.test": .leaf],
        question: "the leaf key"),
      File(
        content: [root, issuing, leaf], pinned: ["CN=api.test": .leaf], question: "the leaf key"),
      File(
        content: [leaf, issuing, root], roles: [.intermediate],
        pinned: ["CN=Test Issuing": .intermediate], question: "the intermediate key"),
      File(
        content: [leaf, issuing, root], roles: [.leaf, .root],
        pinned: ["CN=api.test": .leaf, "CN=Test Root": .root], question: "2 keys (leaf, root)"),
      File(
        content: [leaf, issuing, root], roles: [.backup], pinned: ["CN=api.test": .backup],
        question: "the backup key"),
      File(content: [root], pinned: ["CN=Test Root": .root], question: "the root key"),
      File(
        content: [root], roles: [.backup], pinned: ["CN=Test Root": .backup],
        question: "the backup key"),
      File(
        content: [issuing, root, root],
        pinned: ["CN=Test Issuing": .intermediate, "CN=Test Root": .root],
        question: "2 keys (intermediate, root)"),
      File(
        content: [ChainFile.request], pinned: ["CN=api.test": .leaf], question: "the leaf key"),
      File(
        content: [ChainFile.request], roles: [.backup], pinned: ["CN=api.test": .backup],
        question: "the backup key"),
      File(
        content: [ChainFile.request, root], roles: [.root],
        pinned: ["CN=api.test": .root, "CN=Test Root": .root], question: "2 keys (root)"),
    ])
  func file(file: File) async throws {
    let program = try Self.program()
    let path = try program.folder.write(file.content.joined(), to: "keys.pem")
    let words =
      ["pin", "add", path, "--host", "api.test"] + file.roles.flatMap { ["--role", $0.rawValue] }
    #expect(try await program.run(words).status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n")
    #expect(try await program.run(words).status == .status(.declined))
    #expect(program.terminal.prompts == ["Pin \(file.question) of keys.pem for api.test?"])
    #expect(try program.pinSets().isEmpty)
    expect(try await program.run(words + ["--yes", "-q"]), .success)
    let keys = try #require(try program.pinSets().first).keys
    #expect(Dictionary(uniqueKeysWithValues: keys.map { ($0.label ?? "", $0.role) }) == file.pinned)
  }

  @Test("works through a list: says each failure, pins the rest, and exits by the worst")
  func list() async throws {
    let program = try Self.program()
    program.trust("b.test")
    program.show(.success(.untrusted("c.test")), at: "c.test:443")
    let lines = "api.test # the first\n\n# none\nb.test,gone.test a..b\n"
    let file = try program.folder.write(lines, to: "hosts")
    for words in [["@\(file)", "c.test"], ["c.test", "@-"]] {
      let run = try await program.run(
        ["pin", "add", "--yes"] + words, input: words.contains("@-") ? lines : nil)
      #expect(run.status == .status(.usage))
      for text in [
        "warning: 'a..b' is not a host name",
        "warning: could not see the certificates of gone.test",
        "warning: could not pin c.test: its chain is not trusted",
        "error: could not pin 3 of 5 sources\n", "for api.test\n", "for b.test\n",
        "warning: 2 hosts have only one pin each",
      ] {
        #expect(run.errors.contains(text), "\(run)")
      }
      #expect(try program.pinSets().map(\.host) == ["api.test", "b.test"])
    }
    let run = try await program.run("pin", "add", "gone.test", "c.test", "--yes", "--json")
    #expect(run.status == .status(.tls))
    let none = try program.folder.write("# none\n", to: "none")
    #expect(try await program.run("pin", "add", "@\(none)", "--yes").status == .status(.usage))
  }
}
