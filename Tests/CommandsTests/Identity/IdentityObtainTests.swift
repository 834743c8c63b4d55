import JSON
import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("identity obtain")
struct IdentityObtainTests {
  @Test("stores an identity for the host of the profile or another")
  func obtain() async throws {
    let program = try TestProgram([:])
    program.enrol(at: TestEnrolment())
    let run = try await program.run("identity", "obtain")
    expect(
      run, .success,
      errors: """
        sdkctl: obtained the identity 'api.test' (CN=new) for api.test
        sdkctl: expires 2027-02-14T08:00:00Z, in 30 days

        """)
    let other = try await program.run(
      "identity", "obtain", "*.example.com", "--name", "other", "--json")
    #expect(other.json?["name"] == "other")
    #expect(other.json?["hosts"] == ["*.example.com"])
    #expect(try program.identity("other").origin == .obtained(by: "fake"))
  }
}
