import CoreTestSupport

@testable import Commands

@Suite("identity export")
struct IdentityExportTests {
  @Test("prints no key into a file that others may read")
  func publicOutput() async throws {
    let program = try TestProgram([:])
    try await program.identities.save(try TestIdentity.make("a", hosts: []))
    program.setOutputMode(0o640)
    let run = try await program.run("identity", "export")
    expect(
      run, .configuration,
      errors: """
        sdkctl: error: could not print the key: others may read the file that standard output goes to
        sdkctl: hint: sdkctl identity export -o FILE

        """)
  }
}
