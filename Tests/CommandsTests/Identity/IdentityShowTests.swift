import JSON
import OpenSSL
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("identity list, show, check and delete")
struct IdentityShowTests {
  /// Identities that are good, due for renewal, and expired.
  private static func program() async throws -> TestProgram {
    try await TestProgram.withIdentities([
      ("due", try IdentityFixture("due", lifetime: 600)),
      ("good", try IdentityFixture("good")), ("old", try IdentityFixture("old", lifetime: -60)),
    ])
  }

  @Test("list prints name, hosts, subject, condition and expiry, separated by tabs")
  func list() async throws {
    let run = try await Self.program().run("identity", "list")
    expect(
      run, .success,
      output: """
        due\tapi.test\tCN=due\tdue\texpires 2027-01-15T08:10:00Z, in 10 minutes
        good\tapi.test\tCN=good\tgood\texpires 2027-02-14T08:00:00Z, in 30 days
        old\tapi.test\tCN=old\texpired\texpired 2027-01-15T07:59:00Z, 60 seconds ago

        """)
  }

  @Test("list prints the others if one is damaged, and fails")
  func damaged() async throws {
    let program = try await Self.program()
    try program.folder.write(
      "{", to: "store/state/profiles/work/identities/due/identity.json")
    let run = try await program.run("identity", "list", "--json")
    #expect(run.status == .status(.configuration))
    #expect(run.json?.array?.map { $0["name"] } == ["good", "old"])
  }

  @Test("show prints all but the key, also as JSON and PEM")
  func show() async throws {
    let program = try await Self.program()
    let text = try await program.run("identity", "show", "good")
    #expect(text.status == .status(.success))
    let identity = try program.identity("good")
    for part in [
      "name:        good\n", "subject:     CN=good\n", "key:         EC P-256, file\n",
      "valid until: 2027-02-14T08:00:00Z (in 30 days)\n", "condition:   good\n",
      "x5t#S256:    \(identity.chain.thumbprint)\n", "origin:      import\n",
    ] { #expect(text.output.contains(part), "\(part)") }
    let json = try await program.run("identity", "show", "good", "--json")
    #expect(json.json?["condition"] == "good")
    #expect(json.json?["x5t#S256"] == .string(identity.chain.thumbprint))
    #expect(json.json?["chain"]?.array?.count == 1)
    let pem = try await program.run("identity", "show", "good", "--pem")
    expect(pem, .success, output: identity.chain.pem)
    #expect(!(text.output + json.output).contains("PRIVATE"))
  }

  @Test("show needs a name if there are several, and an identity")
  func names() async throws {
    let program = try await Self.program()
    expect(
      try await program.run("identity", "show"), .usage,
      errors: "sdkctl: error: could not choose an identity: there are several: due, good, old\n")
    expect(
      try await program.run("identity", "show", "none"), .identity,
      errors: "sdkctl: error: could not find the identity 'none' of 'work'\n")
    expect(
      try await TestProgram([:]).run("identity", "show"), .identity,
      errors: "sdkctl: error: could not choose an identity: 'work' has none\n")
  }

  @Test(
    "check tells the worst condition by its exit status",
    arguments: [
      (["good"], .success), (["due"], .verification), (["good", "due"], .verification),
      (["old"], .identity), (["due", "old"], .identity), ([], .identity), (["none"], .identity),
      (["good", "--expires-in", "29d"], .success),
      (["good", "--expires-in", "30d"], .verification),
      (["due", "--expires-in", "9m"], .success), (["due", "--expires-in", "90%"], .success),
    ] as [([String], ExitCode)])
  func check(words: [String], exit: ExitCode) async throws {
    let program = try await Self.program()
    let run = try await program.run(["identity", "check"] + words)
    #expect(run.status == .status(exit), "\(run)")
    let quiet = try await program.run(["-q", "identity", "check"] + words)
    #expect(quiet.status == .status(exit))
    #expect(quiet.output == "")
  }

  @Test("check prints conditions and the time of renewal")
  func conditions() async throws {
    let program = try await Self.program()
    let run = try await program.run("identity", "check", "good", "--expires-in", "1d")
    expect(run, .success, output: "good\tgood\texpires 2027-02-14T08:00:00Z, in 30 days\n")
    let json = try await program.run("identity", "check", "good", "--expires-in", "1d", "--json")
    #expect(
      json.json == [
        [
          "name": "good", "condition": "good", "notAfter": "2027-02-14T08:00:00Z",
          "due": "2027-02-13T08:00:00Z",
        ]
      ])
  }

  @Test("delete asks, and removes the files")
  func delete() async throws {
    let program = try await Self.program()
    #expect(try await program.run("identity", "delete", "good").status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y")
    #expect(try await program.run("identity", "delete", "good").status == .status(.declined))
    expect(
      try await program.run("identity", "delete", "good"), .success,
      errors: "sdkctl: deleted the identity 'good'\n")
    #expect(
      program.terminal.prompts.last == "Delete the identity good (CN=good) and its key?")
    #expect(!program.folder.exists("store/state/profiles/work/identities/good"))
    #expect(try await program.run("identity", "delete", "x", "-y").status == .status(.identity))
  }

  @Test("names are completed")
  func completion() async throws {
    let run = try await Self.program().run("__complete", "identities")
    expect(run, .success, output: "due\ngood\nold\n")
  }
}
