import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("profile export", .timeLimit(.minutes(10)))
struct ProfileExportTests {
  private static func program() async throws -> TestProgram {
    let program = try TestProgram(["scope": "openid", "fido.user": "alice"])
    try await program.register()
    try await program.store("token-1")
    let set = PinSet(
      try #require(PinPattern("api.test")), keys: [PinnedKey(pin: Pin(key: [1]), role: .leaf)])
    try PinStore(program.store.location, program.name).save(PinSets([set]))
    _ = try program.folder.write("correct horse\n", to: "passphrase", mode: 0o600)
    return program
  }

  @Test(
    "--with-secrets writes a file that only the passphrase opens, and that makes the same profile")
  func secrets() async throws {
    let program = try await Self.program()
    let (file, passphrase) = (program.folder.file("out"), program.folder.file("passphrase"))
    let run = try await program.run(
      "profile", "export", "--with-secrets", "--tokens", "-o", file, "--passphrase-file", passphrase
    )
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.output == "")
    let text = try program.folder.text(of: "out")
    for secret in ["secret-1", "token-1", "refresh-1", "openid"] { #expect(!text.contains(secret)) }
    _ = try program.folder.write("wrong\n", to: "wrong", mode: 0o600)
    let wrong = try await program.run(
      "profile", "import", "--new", "copy", "--yes", file, "--passphrase-file",
      program.folder.file("wrong"))
    #expect(wrong.status == .status(.usage))
    #expect(wrong.errors.contains("the passphrase is wrong, or the export was changed"))
    let over = try await program.run(
      "profile", "import", "--yes", file, "--passphrase-file", "-",
      input: try program.folder.text(of: "passphrase"))
    #expect(over.status == .status(.usage))
    #expect(over.errors.contains("--new NAME"))
    #expect(try program.store.names() == [program.name])
    program.terminal.connect(.input, .errors)
    program.terminal.type("correct horse")
    let right = try await program.run("profile", "import", "--new", "copy", "--yes", file)
    #expect(right.status == .status(.success), "\(right)")
    let copy = try ProfileName("copy")
    let tokens = CredentialStore(
      ProfileSecrets(location: program.store.location, profile: copy), .user,
      issuer: "https://id.test")
    #expect(try await tokens.load()?.tokens?.accessToken == "token-1")
    #expect(
      try await RegistrationStore(ProfileSecrets(location: program.store.location, profile: copy))
        .load()?.client["client_secret"]
        == "secret-1")
  }

  @Test("refuses an output that others can read")
  func refused() async throws {
    let program = try await Self.program()
    program.setOutputMode(0o644)
    let open = try await program.run(
      "profile", "export", "--with-secrets", "--passphrase-file",
      program.folder.file("passphrase"))
    #expect(open.status == .status(.configuration))
    #expect(open.output == "")
  }
}
