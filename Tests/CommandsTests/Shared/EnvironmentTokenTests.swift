import CoreTestSupport

@testable import Commands

@Suite("Tokens of the environment")
struct EnvironmentTokenTests {
  @Test("are refused if others can change the file, or read it; a link of the user is followed")
  func exposedFile() async throws {
    let program = try await TestProgram.loggedIn()
    let file = try program.folder.write("file-token", to: "bearer", mode: 0o666)
    program.setVariable("BEARER_TOKEN_FILE", file)
    expect(
      try await program.run("token"), .configuration,
      errors: """
        sdkctl: error: could not read the token of BEARER_TOKEN_FILE: \(file): others may change it \
        (mode 0666)
        sdkctl: hint: chmod 600 \(file)

        """)
    try program.folder.setMode(0o600, of: "bearer")
    try program.folder.link("link", to: "bearer")
    program.setVariable("BEARER_TOKEN_FILE", program.folder.file("link"))
    expect(try await program.run("token"), .success, output: "file-token\n")
  }
}
