import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity renew")
struct IdentityRenewTests {
  @Test("--all renews what is due, and prints nothing if nothing is")
  func all() async throws {
    let (program, enrolment) = try await Self.enrolled()
    let words = ["identity", "renew", "--all", "--within", "1d"]
    let run = try await program.run(words)
    expect(
      run, .success,
      errors: """
        sdkctl: renewed the identity 'due' (CN=alice) for api.test
        sdkctl: expires 2027-02-14T08:00:00Z, in 30 days

        """)
    #expect(try program.identity("due").origin == .obtained(by: "fake"))
    expect(try await program.run(words), .success)
    #expect(enrolment.asked.map(\.name.description) == ["due"])
  }

  @Test("by name renews what is not due, unless --within is given; --json lists what was renewed")
  func byName() async throws {
    let (program, enrolment) = try await Self.enrolled()
    let within = try await program.run("identity", "renew", "good", "--within", "1d", "--json")
    #expect(within.json == [])
    let run = try await program.run("identity", "renew", "good", "--json")
    #expect(run.status == .status(.success))
    #expect(run.json?.array?.first?["name"] == "good")
    #expect(run.json?.array?.first?["origin"] == "fake")
    #expect(enrolment.asked.map(\.name.description) == ["good"])
  }

  @Test("keeps what it has if the service refuses, and renews the others")
  func refused() async throws {
    let (program, enrolment) = try await Self.enrolled { _ in throw Unmet("it refuses") }
    let before = try program.identity("due")
    let run = try await program.run("identity", "renew", "due", "good")
    expect(
      run, .refused,
      errors: """
        sdkctl: warning: could not renew the identity 'due': the service refused
        sdkctl: error: could not renew the identity 'good': the service refused

        """)
    #expect(enrolment.asked.map(\.name.description) == ["due", "good"])
    #expect(try program.identity("due") == before)
  }

  /// A program with the identities `due` and `good`, and an enrolment service.
  private static func enrolled(
    _ change: @escaping @Sendable (Identity) throws -> Identity = { $0 }
  ) async throws -> (TestProgram, FakeEnrolment) {
    let program = try await TestProgram.withIdentities([
      ("due", try IdentityFixture(lifetime: 600)), ("good", try IdentityFixture()),
    ])
    let enrolment = FakeEnrolment(lifetime: 30 * 86_400, change)
    program.enrol(at: enrolment)
    return (program, enrolment)
  }
}
