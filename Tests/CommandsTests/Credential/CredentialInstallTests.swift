import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential install")
struct CredentialInstallTests {
  @Test(
    "configures no program for a profile that allows its credentials at no server",
    arguments: [("git", "git"), ("docker", "docker")])
  func noServer(command: String, name: String) async throws {
    let run = try await TestProgram.withOther().run("-p", "other", "credential", command, "install")
    expect(
      run, .configuration,
      errors: """
        sdkctl: error: could not configure \(name): 'other' allows its credentials at no server
        sdkctl: hint: sdkctl -p other profile set allowedHosts=HOST

        """)
  }

  @Test("names no store in the script if the variable for it is empty")
  func emptyHome() async throws {
    let program = try TestProgram()
    program.setVariable("SDKCTL_HOME", "")
    _ = try await program.run(
      "profile", "add", "lab", "--issuer", "https://id.test", "--resource-url", "https://api.test")
    let run = try await program.run("credential", "docker", "install")
    #expect(run.status == .status(.success), "\(run)")
    #expect(!run.output.contains("SDKCTL_HOME"), "\(run)")
  }
}
