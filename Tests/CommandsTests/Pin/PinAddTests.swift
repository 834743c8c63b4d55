import JSON
import Pinning
import Primitives
import SDKCore
import TestSupport
import Testing

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
    sdkctl:   * leaf         \(TestChain.pin("api.test leaf"))  CN=api.test leaf, until 2027-01-16
    sdkctl:     intermediate \(TestChain.pin("issuing"))  CN=issuing, until 2027-01-16
    sdkctl:     root         \(TestChain.pin("root"))  CN=root, until 2027-01-16

    """

  private static let backupWarning =
    "sdkctl: warning: api.test has only one pin, and is refused when its key changes; "
    + "pin a backup key too\n"

  @Test("shows the chain of a host, asks, and pins the leaf")
  func host() async throws {
    let program = try Self.program()
    program.terminal.connect(.input, .errors)
    program.terminal.type("y")
    expect(
      try await program.run("pin", "add", "api.test"), .success,
      errors: Self.chain
        + "sdkctl: pinned \(TestChain.pin("api.test leaf")) (leaf) for api.test\n"
        + Self.backupWarning)
    #expect(program.terminal.prompts == ["Pin the leaf key of api.test?"])
    let set = try #require(try program.pinSets().first)
    #expect(set.host == "api.test")
    #expect(set.expires == nil)
    #expect(!set.includesSubdomains)
    #expect(
      set.keys == [
        PinnedKey(
          pin: TestChain.pin("api.test leaf"), role: .leaf, label: "CN=api.test leaf",
          added: TestProgram.now, origin: PinOrigin(.server, "api.test:443"),
          notAfter: TestProgram.now + 86400)
      ])
  }

  @Test("pins nothing without consent")
  func declined() async throws {
    let program = try Self.program()
    let run = try await program.run("pin", "add", "api.test")
    #expect(run.status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n")
    #expect(try await program.run("pin", "add", "api.test").status == .status(.declined))
    #expect(try program.pinSets().isEmpty)
  }

  @Test("pins the roles that are named, for subdomains, until a day")
  func options() async throws {
    let program = try Self.program()
    let run = try await program.run(
      "pin", "add", "api.test", "--role", "intermediate", "--role", "root", "--subdomains",
      "--expires", "2027-06-01", "--yes", "--json", "-q")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    #expect(
      run.output == """
        {"host":"**.api.test","label":"CN=issuing","pin":"\(TestChain.pin("issuing"))","role":"intermediate"}
        {"host":"**.api.test","label":"CN=root","pin":"\(TestChain.pin("root"))","role":"root"}

        """)
    let set = try #require(try program.pinSets().first)
    #expect(set.includesSubdomains)
    #expect(set.expires == 1_811_894_400)
    #expect(set.keys.map(\.role) == [.intermediate, .root])
  }

  @Test("adds to the pins that are there, and keeps their subdomains and end")
  func adds() async throws {
    let program = try Self.program()
    for words in [
      ["\(TestChain.pin("a"))", "--subdomains", "--expires", "2027-06-01"],
      ["\(TestChain.pin("b"))", "--role", "backup"], ["\(TestChain.pin("a"))", "--role", "root"],
    ] {
      let run = try await program.run(["pin", "add", "--host", "api.test", "-q"] + words)
      expect(run, .success)
    }
    let set = try #require(try program.pinSets().first)
    #expect(set.includesSubdomains)
    #expect(set.expires == 1_811_894_400)
    #expect(set.keys.map(\.pin) == [TestChain.pin("b"), TestChain.pin("a")])
    #expect(set.keys.map(\.role) == [.backup, .root])
  }

  @Test("gives a pin one role, and refuses two")
  func roles() async throws {
    let program = try Self.program()
    expect(
      try await program.run(
        "pin", "add", "\(TestChain.pin("a"))", "\(TestChain.pin("b"))", "--role", "leaf", "--role",
        "backup",
        "--host", "api.test", "--yes"), .usage)
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

  @Test(
    "refuses what cannot be pinned",
    arguments: [
      Row(
        words: ["\(TestChain.pin("a"))"], exit: .usage,
        error: "--host is missing: a file or a pin does not name a host"),
      Row(
        words: ["\(TestChain.pin("a"))", "--host", "a b"], exit: .usage,
        error:
          "invalid value 'a b' for '--host': not a host, *.HOST or **.HOST, with or without :PORT"
          + "\nsdkctl: hint: see 'sdkctl help pin add'"),
      Row(words: ["a b"], exit: .usage, error: "'a b' is not a host name, a file or a pin"),
      Row(
        words: ["api.test", "--role", "backup", "--yes"], exit: .failure,
        error: "could not pin api.test: its chain has no backup"),
      Row(
        words: ["\(TestChain.pin("a"))", "--host", "co.uk", "--subdomains"], exit: .usage,
        error: "could not pin the subdomains of 'co.uk': it is a public suffix"),
      Row(
        words: ["gone.test", "--yes"], exit: .network,
        error: "could not see the certificates of gone.test:443: "
          + "nothing is scripted for gone.test:443"),
      Row(
        words: ["/nowhere/x.pem", "--host", "api.test"], exit: .failure,
        error: "could not read the keys: /nowhere/x.pem: no such file or directory"),
    ])
  func refuses(row: Row) async throws {
    let program = try Self.program()
    let run = try await program.run(["pin", "add"] + row.words)
    expect(run, row.exit, errors: "sdkctl: error: \(row.error)\n")
    #expect(try program.pinSets().isEmpty)
  }

  @Test("adds nothing to pins that have expired, unless they get a new end")
  func expired() async throws {
    let program = try await PinListTests.program()
    let words = ["pin", "add", "\(TestChain.pin("n"))", "--host", "id.test"]
    expect(
      try await program.run(words), .usage,
      errors: """
        sdkctl: error: the pins of id.test have expired; set a new date with --expires DATE

        """)
    let run = try await program.run(words + ["--expires", "2028-01-01", "-q"])
    expect(run, .success)
    let set = try #require(try program.pinSets().first { $0.host == "id.test" })
    #expect(set.keys.count == 2)
    #expect(set.expires == 1_830_384_000)
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

  @Test("shows all keys of a file and marks those that it pins; one that is not there is an error")
  func fileShown() async throws {
    let program = try Self.program()
    let path = try program.folder.write(Self.leaf + Self.issuing, to: "chain.pem")
    let run = try await program.run("pin", "add", path, "--host", "api.test", "--yes")
    #expect(run.status == .status(.success))
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.first == "sdkctl: chain.pem has these keys:")
    #expect(lines[1].hasPrefix("sdkctl:   * leaf         sha256/"), "\(run)")
    #expect(lines[1].hasSuffix("  CN=api.test, until 2126-10-31"), "\(run)")
    #expect(lines[2].hasPrefix("sdkctl:     intermediate sha256/"), "\(run)")
    let missing = try await program.run(
      "pin", "add", path, "--host", "b.test", "--role", "root", "--yes")
    expect(
      missing, .failure, errors: "sdkctl: error: could not pin a key of chain.pem: it has no root\n"
    )
    #expect(try program.pinSets().count == 1)
  }

  @Test("a file of an authority is exported as an authority")
  func authorityFile() async throws {
    let program = try Self.program()
    let path = try program.folder.write(Self.root, to: "ca.pem")
    _ = try await program.run("pin", "add", path, "--host", "api.test", "--yes")
    let run = try await program.run("pin", "export", "--format", "apple")
    #expect(run.output.contains("NSPinnedCAIdentities"), "\(run)")
    #expect(!run.output.contains("NSPinnedLeafIdentities"))
  }

  @Test("pins patterns and ports apart, with a policy and a remark")
  func patterns() async throws {
    let program = try Self.program()
    for (pattern, key) in [("*.api.test", "a"), ("api.test:8443", "b"), ("**.id.test", "c")] {
      let run = try await program.run(
        "pin", "add", "\(TestChain.pin(key))", "--host", pattern, "--policy", "report",
        "--comment", "for \(key)", "-q")
      expect(run, .success)
    }
    let sets = try program.pinSets()
    #expect(sets.map(\.pattern.description) == ["api.test:8443", "*.api.test", "**.id.test"])
    #expect(sets.map(\.policy) == [.report, .report, .report])
    #expect(sets.flatMap(\.keys).map(\.comment) == ["for b", "for a", "for c"])
  }

  @Test("--policy enforce needs two pins, unless --no-backup is given; all sources count")
  func enforce() async throws {
    let program = try Self.program()
    let words = [
      "pin", "add", "\(TestChain.pin("a"))", "--host", "api.test", "--policy", "enforce",
    ]
    expect(
      try await program.run(words), .usage,
      errors: """
        sdkctl: error: could not enforce the pins of api.test: it has only one pin; add a backup \
        pin, or use --no-backup

        """)
    #expect(try program.pinSets().isEmpty)
    expect(try await program.run(words + ["--no-backup", "-q"]), .success)
    let both = try Self.program()
    expect(try await both.run(words + ["\(TestChain.pin("b"))", "-q"]), .success)
    #expect(try both.pinSets().first?.policy == .enforce)
  }

  @Test("widening a set to subdomains keeps its pins in one set")
  func widen() async throws {
    let program = try Self.program()
    for words in [["\(TestChain.pin("a"))"], ["\(TestChain.pin("b"))", "--subdomains"]] {
      expect(try await program.run(["pin", "add", "--host", "api.test", "-q"] + words), .success)
    }
    let sets = try program.pinSets()
    #expect(sets.map(\.pattern.description) == ["**.api.test"])
    #expect(sets.first?.keys.map(\.pin) == [TestChain.pin("a"), TestChain.pin("b")])
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

  @Test("asks once for all servers of a list")
  func oneQuestion() async throws {
    let program = try Self.program()
    program.trust("b.test")
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y")
    let words = ["pin", "add", "api.test", "b.test", "\(TestChain.pin("x"))", "--host", "c.test"]
    #expect(try await program.run(words).status == .status(.declined))
    #expect(try program.pinSets().isEmpty)
    #expect(
      try await program.run(["pin", "add", "api.test", "b.test"]).status == .status(.success))
    #expect(program.terminal.prompts.last == "Pin the leaf key of api.test, b.test?")
    #expect(try program.pinSets().map(\.host) == ["api.test", "b.test"])
  }
}
