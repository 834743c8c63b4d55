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

  private static let next =
    "sdkctl: next: `sdkctl -p lab pin add`, `sdkctl -p lab register`, `sdkctl -p lab login`\n"

  @Test("writes the settings, and makes the first profile the current one")
  func adds() async throws {
    let program = try TestProgram()
    let file = try program.folder.write(try ProfileSetTests.authority(), to: "ca.pem")
    let run = try await program.run(
      Self.words + ["--scope", "a b", "--client-id", "c1", "--ca-file", file])
    expect(
      run, .success,
      errors: """
        sdkctl: created the profile 'lab'
        sdkctl: next: `sdkctl -p lab pin add`, `sdkctl -p lab login`

        """)
    #expect(
      try program.members(of: "lab") == [
        "issuer": "https://id.test", "resourceURL": "https://api.test", "scope": "a b",
        "clientID": "c1", "caFile": .string(file),
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
        \(Self.next)
        """)
    #expect(try program.store.current()?.description == "work")
  }

  private static let metadata =
    #"{"resource":"https://api.test/v1","authorization_servers":["https://id.test"],"#
    + #""scopes_supported":["read"]}"#

  @Test("finds the issuer that the resource names, and takes it with --yes")
  func discovered() async throws {
    let program = try TestProgram()
    program.transport.respond(
      "https://api.test/.well-known/oauth-protected-resource/v1", [.json(Self.metadata)])
    let words = ["profile", "add", "lab", "--resource-url", "https://api.test/v1"]
    let notes = """
      sdkctl: https://api.test/v1 takes tokens of https://id.test
      sdkctl: its scopes: read

      """
    expect(
      try await program.run(words), .usage,
      errors: notes + """
        sdkctl: error: --issuer is missing
        sdkctl: hint: take the one that the resource names with --yes

        """)
    expect(
      try await program.run(words + ["--yes"]), .success,
      errors: notes + "sdkctl: created the profile 'lab'\n" + Self.next)
    #expect(try program.members(of: "lab")["issuer"] == "https://id.test")
  }

  @Test("with --preset prints commands that parse", arguments: ProfilePreset.all)
  func presetCommands(preset: ProfilePreset) {
    let words = preset.registering.flatMap { "--\($0)".split(separator: " ").map(String.init) }
    #expect(usageError(["register"] + words) == nil)
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
        words: ["lab", "--issuer", "id.test:4690/api"], exit: .usage,
        errors: """
          sdkctl: error: could not use the value of 'issuer': it has no scheme; write \
          https://id.test:4690/api

          """),
      Row(
        words: ["lab", "--preset", "entra"], exit: .usage,
        errors: """
          sdkctl: error: --issuer is missing (https://login.microsoftonline.com/TENANT/v2.0)

          """),
      Row(
        words: ["lab", "--preset", "nobody"], exit: .usage,
        errors: """
          sdkctl: error: invalid value 'nobody' for '--preset': \
          no preset of that name; there is google, entra, github, gitlab, keycloak, okta, auth0, \
          cognito, sequencing
          sdkctl: hint: see 'sdkctl help profile add'

          """),
    ])
  func refuses(row: Row) async throws {
    let program = try TestProgram()
    let run = try await program.run(["profile", "add"] + row.words)
    expect(run, row.exit, errors: row.errors)
    #expect(try program.store.names().isEmpty)
  }

  @Test("without an issuer makes a profile for pins and requests without a token")
  func withoutIssuer() async throws {
    let program = try TestProgram()
    let note = "sdkctl: it has no issuer: it is for pins and for requests without a token\n"
    expect(
      try await program.run("profile", "add", "lab"), .success,
      errors: "sdkctl: created the profile 'lab'\n" + note
        + "sdkctl: next: `sdkctl -p lab pin add HOST`\n")
    #expect(try program.members(of: "lab").isEmpty)
    program.trust("api.test")
    _ = try await program.run("pin", "add", "api.test", "--yes", "-q")
    program.transport.respond("https://api.test/x", [.status(200, "body")])
    let run = try await program.run("fetch", "--unauth", "https://api.test/x")
    #expect(run.output == "body", "\(run)")
    program.terminal.connect(.input, .output, .errors)
    program.terminal.type("", "")
    #expect(try await program.run("profile", "add", "other").status == .status(.success))
    #expect(try program.members(of: "other").isEmpty)
  }

  @Test("does not replace a profile, asks nobody, and names the command that changes it")
  func exists() async throws {
    let program = try TestProgram([:])
    program.terminal.connect(.input, .output, .errors)
    expect(
      try await program.run(
        "profile", "add", "work", "--resource-url", "https://y.test/a b", "--pin"), .configuration,
      errors: """
        sdkctl: error: could not create the profile 'work': it exists already
        sdkctl: hint: sdkctl -p work profile set resourceURL='https://y.test/a b'
        sdkctl: hint: sdkctl -p work pin add

        """)
    #expect(program.terminal.prompts.isEmpty)
    #expect(program.transport.sent.isEmpty)
    #expect(try program.store.profile(program.name).members["issuer"] == "https://id.test")
  }

  @Test("asks on a terminal for what is missing")
  func asks() async throws {
    let program = try TestProgram()
    program.terminal.connect(.input, .output, .errors)
    program.terminal.type("https://id.test", "https://api.test")
    let run = try await program.run("profile", "add", "lab")
    expect(run, .success, errors: "sdkctl: created the profile 'lab'\n" + Self.next)
    #expect(
      program.terminal.prompts == [
        "Issuer URL (empty for none): ", "Resource URL (empty for none): ",
      ])
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

  @Test(
    "with --pin pins a port as the hinted pin add does, so that another port has pins of its own")
  func pinsPorts() async throws {
    let program = try TestProgram()
    for (port, leaf) in [(4690, "one"), (4691, "two")] {
      program.show(.success(.trusted("id.test", leaf: leaf)), at: "id.test:\(port)")
    }
    _ = try await program.run(
      "profile", "add", "lab", "--issuer", "https://id.test:4690", "--resource-url",
      "https://id.test:4691", "--pin", "--yes")
    let list = try await program.run("pin", "list").output
    #expect(
      list.split(separator: "\n").map { $0.split(separator: "\t").prefix(2).joined(separator: " ") }
        == [
          "id.test:4690 \(TestChain.pin("one"))", "id.test:4691 \(TestChain.pin("two"))",
        ])
  }
}
