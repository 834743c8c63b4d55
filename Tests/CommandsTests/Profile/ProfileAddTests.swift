import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile add")
struct ProfileAddTests {
  private static let words = [
    "profile", "add", "lab", "--issuer", "https://id.test", "--resource-url", "https://api.test",
  ]

  @Test("writes the settings, and makes the first profile the current one")
  func adds() async throws {
    let program = try TestProgram()
    let run = try await program.run(
      Self.words + ["--scope", "a b", "--client-id", "c1", "--ca-file", "/ca.pem"])
    expect(run, .success, errors: "sdkctl: created the profile 'lab'\n")
    #expect(
      try program.members(of: "lab") == [
        "issuer": "https://id.test", "resourceURL": "https://api.test", "scope": "a b",
        "clientID": "c1", "caFile": "/ca.pem",
      ])
    #expect(try program.store.current()?.description == "lab")
    #expect(program.transport.sent.isEmpty)
  }

  @Test("says which profile stays current if there is one")
  func second() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(Self.words)
    expect(
      run, .success,
      errors: """
        sdkctl: created the profile 'lab'
        sdkctl: 'work' stays current; `sdkctl profile use lab` changes that

        """)
    #expect(try program.store.current()?.description == "work")
  }

  @Test("hints the same command line with --insecure-loopback if http needs it")
  func loopback() async throws {
    let run = try await TestProgram().run(
      "profile", "add", "lab", "--issuer", "http://localhost:1", "--resource-url",
      "https://api.test", "--pin", "--yes")
    #expect(run.status == .status(.configuration))
    #expect(
      run.errors.hasSuffix(
        """
        sdkctl: hint: sdkctl profile add lab --issuer http://localhost:1 --resource-url \
        https://api.test --pin --yes --insecure-loopback

        """))
  }

  @Test("with --json prints the name and the settings")
  func json() async throws {
    let run = try await TestProgram().run(Self.words + ["--json", "-q"])
    expect(
      run, .success,
      output: #"{"issuer":"https://id.test","name":"lab","resourceURL":"https://api.test"}"# + "\n")
  }

  @Test("with --preset needs neither URL, and other options change its settings")
  func preset() async throws {
    let program = try TestProgram()
    let run = try await program.run("profile", "add", "genes", "--preset", "sequencing")
    expect(run, .success, errors: "sdkctl: created the profile 'genes'\n")
    let members = try program.members(of: "genes")
    #expect(members["issuer"] == "https://sequencing.com")
    #expect(members["resourceURL"] != nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let words: [String]
    let exit: ExitCode
    let errors: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    "refuses what is missing or wrong, and writes nothing",
    arguments: [
      Row(
        words: ["lab"], exit: .usage, errors: "sdkctl: error: --issuer is missing\n"),
      Row(
        words: ["lab", "--issuer", "https://id.test"], exit: .usage,
        errors: "sdkctl: error: --resource-url is missing\n"),
      Row(
        words: ["lab", "--preset", "nobody"], exit: .usage,
        errors: """
          sdkctl: error: invalid value 'nobody' for '--preset': \
          no preset of that name; there is sequencing
          sdkctl: hint: see 'sdkctl help profile add'

          """),
    ])
  func refuses(row: Row) async throws {
    let program = try TestProgram()
    let run = try await program.run(["profile", "add"] + row.words)
    expect(run, row.exit, errors: row.errors)
    #expect(try program.store.names().isEmpty)
  }

  @Test("does not replace a profile")
  func exists() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "profile", "add", "work", "--issuer", "https://x.test", "--resource-url", "https://y.test")
    #expect(run.status == .status(.configuration))
    #expect(run.output == "")
    #expect(try program.store.profile(program.name).members["issuer"] == "https://id.test")
  }

  @Test("asks on a terminal for what is missing")
  func asks() async throws {
    let program = try TestProgram()
    program.terminal.connect(.input, .output, .errors)
    program.terminal.type("https://id.test", "https://api.test")
    let run = try await program.run("profile", "add", "lab")
    expect(run, .success, errors: "sdkctl: created the profile 'lab'\n")
    #expect(program.terminal.prompts == ["Issuer URL: ", "Resource URL: "])
    let members = try program.members(of: "lab")
    #expect(members == ["issuer": "https://id.test", "resourceURL": "https://api.test"])
  }

  @Test("ends with the usage error if nothing is typed")
  func nothingTyped() async throws {
    let program = try TestProgram()
    program.terminal.connect(.input, .errors)
    program.terminal.fail(.endOfInput)
    let run = try await program.run("profile", "add", "lab")
    expect(run, .usage, errors: "sdkctl: error: --issuer is missing\n")
  }

  @Test("with --pin shows the chain of each host and pins its leaf key")
  func pins() async throws {
    let program = try TestProgram()
    program.trust("id.test", "api.test")
    let run = try await program.run(Self.words + ["--pin", "--yes"])
    #expect(run.status == .status(.success))
    #expect(run.output == "")
    #expect(
      run.errors.contains("sdkctl: pinned \(TestChain.pin("id.test leaf")) (leaf) for id.test\n"))
    #expect(run.errors.contains("(leaf) for api.test\n"))
    let list = try await program.run("pin", "list")
    #expect(list.output.split(separator: "\n").count == 2)
  }
}
