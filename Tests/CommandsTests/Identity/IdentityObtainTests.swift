import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity obtain")
struct IdentityObtainTests {
  @Test("replaces an imported identity only with --replace, and seals again what was sealed")
  func replace() async throws {
    let program = try await TestProgram.withIdentities([("api.test", try IdentityFixture())])
    program.enrol(at: FakeEnrolment())
    expect(
      try await program.run("identity", "obtain"), .usage,
      errors: "sdkctl: error: could not obtain an identity for 'api.test': there is an identity of "
        + "the name 'api.test', which was imported or made\n")
    let secret = try program.folder.write("secret\n", to: "secret")
    let words = ["identity", "obtain", "-q"]
    #expect(
      try await program.run(words + ["--replace", "--passphrase-file", secret]).status
        == .status(.success))
    // Without a terminal nobody can give a passphrase for the new key.
    expect(
      try await program.run(words), .usage,
      errors: "sdkctl: error: could not ask for the passphrase: there is no terminal, and "
        + "--passphrase-file is missing\n")
    program.terminal.connect(.input, .errors)
    program.terminal.type("other", "other")
    #expect(try await program.run(words).status == .status(.success))
    #expect(try program.identity("api.test").key.isSealed)
  }
}
