import JSON
import OpenSSL
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("identity export")
struct IdentityExportTests {
  private static func program() async throws -> (program: TestProgram, fixture: IdentityFixture) {
    let fixture = try IdentityFixture()
    return (try await TestProgram.withIdentities([("a", fixture)]), fixture)
  }

  @Test("prints key and chain as PEM, or the chain alone")
  func pem() async throws {
    let (program, fixture) = try await Self.program()
    program.setOutputMode(0o600)
    expect(try await program.run("identity", "export"), .success, output: fixture.pem)
    expect(
      try await program.run("identity", "export", "--no-key"), .success,
      output: fixture.certificate.pem)
  }

  @Test("prints no key into a file that others may read")
  func publicOutput() async throws {
    let (program, fixture) = try await Self.program()
    program.setOutputMode(0o640)
    let run = try await program.run("identity", "export")
    expect(
      run, .configuration,
      errors: """
        sdkctl: error: could not print the key: others may read the file that standard output goes to
        sdkctl: hint: sdkctl identity export -o FILE

        """)
    expect(
      try await program.run("identity", "export", "--no-key"), .success,
      output: fixture.certificate.pem)
    let file = try program.folder.write("old", to: "out.pem", mode: 0o644)
    let named = try await program.run("identity", "export", "-o", file)
    expect(
      named, .configuration,
      errors: """
        sdkctl: error: could not write the key to '\(file)': others may read it (mode 0644)
        sdkctl: hint: chmod 600 \(file)

        """)
    #expect(try program.folder.text(of: "out.pem") == "old")
  }

  @Test("prints PKCS #12 into a file or a pipe, and not on a terminal")
  func pkcs12OnTerminal() async throws {
    let (program, _) = try await Self.program()
    let words = ["identity", "export", "--format", "pkcs12", "--no-password"]
    program.setOutputMode(0o600)
    #expect(try await program.run(words).status == .status(.success))
    program.terminal.connect(.output)
    let run = try await program.run(words)
    #expect(run.status == .status(.usage), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test("writes new files for their owner only, with and without password")
  func pkcs12() async throws {
    let (program, fixture) = try await Self.program()
    let file = program.folder.file("a.p12")
    let words = ["identity", "export", "-o", file, "--format", "pkcs12"]
    for (more, input, password) in [
      (["--password-file", "-"], "secret\n", "secret"), (["--no-password"], "", nil),
      (["--password-file", "-", "--legacy"], "secret\n", "secret"),
    ] as [([String], String, String?)] {
      let run = try await program.run(words + more, input: input)
      expect(run, .success)
      #expect(try program.folder.mode(of: "a.p12") == 0o600)
      let read = try PKCS12.read(program.folder.bytes(of: "a.p12"), password: password)
      #expect(read.key.pkcs8 == fixture.key.pkcs8)
      try program.folder.remove("a.p12")
    }
    expect(
      try await program.run(words), .usage,
      errors: "sdkctl: error: could not ask for the password: there is no terminal, and "
        + "--password-file is missing\n")
    #expect(!program.folder.exists("a.p12"))
  }

  @Test("encrypts the key of PEM if there is a password")
  func encrypted() async throws {
    let (program, fixture) = try await Self.program()
    program.setOutputMode(0o600)
    let run = try await program.run("identity", "export", "--password-file", "-", input: "secret\n")
    #expect(run.status == .status(.success))
    let read = try PrivateKey(pem: Array(run.output.utf8), passphrase: "secret")
    #expect(read.pkcs8 == fixture.key.pkcs8)
    #expect(!run.output.contains("BEGIN PRIVATE KEY"))
  }

  @Test("unseals a sealed key with its passphrase, and writes it to a file only on request")
  func sealed() async throws {
    let (program, fixture) = try await Self.program()
    program.setOutputMode(0o600)
    let file = try program.folder.write(fixture.pem, to: "s.pem")
    let passphrase = try program.folder.write("secret\n", to: "passphrase")
    _ = try await program.run(
      "identity", "import", file, "--name", "a", "--replace", "--passphrase-file", passphrase)
    expect(
      try await program.run("identity", "export", "a", "--passphrase-file", passphrase), .success,
      output: fixture.pem)
    expect(
      try await program.run("--passphrase-file", "-", "identity", "export", "a", input: "secret\n"),
      .success, output: fixture.pem)
    // The passcode is another secret.
    program.setVariable("SDKCTL_PASSCODE_FILE", passphrase)
    program.terminal.type("wrong")
    let wrong = try await program.run("identity", "export", "a")
    expect(
      wrong, .identity,
      errors: "sdkctl: error: could not use the identity 'a': the passphrase is wrong\n")
    #expect(program.terminal.prompts.last == "Passphrase of the identity 'a': ")
    #expect(try await program.run("identity", "export", "--curl").status == .status(.identity))
    expect(
      try await program.run("identity", "export", "--no-key"), .success,
      output: fixture.certificate.pem)
  }

  @Test(
    "refuses options for the other form, and a prefix that no variable can have",
    arguments: [
      ["--legacy"], ["--no-password"], ["--format", "pkcs12", "--no-key"],
      ["--env", "sh", "--prefix", "1A"], ["--env", "sh", "--prefix", ""],
      ["--env", "sh", "--prefix", "A-"],
    ])
  func usage(words: [String]) async throws {
    let run = try await Self.program().program.run(["identity", "export"] + words)
    #expect(run.status == .status(.usage), "\(run)")
    #expect(run.output == "")
  }
}
