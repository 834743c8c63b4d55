import JSON
import OpenSSL
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("identity renew and obtain")
struct IdentityRenewTests {
  /// Issues self-signed certificates, or refuses.
  private final class Enrolment: IdentityObtaining {
    let name = "fake"
    let isRefusing = Mutex(false)
    let asked = Mutex<[String]>([])

    func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
      asked.withLock { $0.append(request.name.description) }
      guard !isRefusing.withLock({ $0 }), let fixture = try? IdentityFixture("new") else {
        throw SDKError(.refused, cause: "the service refused")
      }
      return Identity(
        name: request.name, hosts: request.hosts,
        chain: try ClientCertificateChain(pem: Array(fixture.certificate.pem.utf8)),
        key: .pem(fixture.key.pem), origin: .obtained(by: name),
        obtainedAt: TestProgram.now)
    }
  }

  private static func program() async throws -> (program: TestProgram, enrolment: Enrolment) {
    let program = try await TestProgram.withIdentities([
      ("due", try IdentityFixture(lifetime: 600)), ("good", try IdentityFixture()),
    ])
    let enrolment = Enrolment()
    program.enrol(at: enrolment)
    return (program, enrolment)
  }

  @Test("--all renews what is due, and prints nothing if nothing is")
  func all() async throws {
    let (program, enrolment) = try await Self.program()
    let words = ["identity", "renew", "--all", "--within", "1d"]
    let run = try await program.run(words)
    expect(
      run, .success,
      errors: """
        sdkctl: renewed the identity 'due' (CN=new) for api.test
        sdkctl: expires 2027-02-14T08:00:00Z, in 30 days

        """)
    #expect(try program.identity("due").origin == .obtained(by: "fake"))
    expect(try await program.run(words), .success)
    #expect(enrolment.asked.withLock { $0 } == ["due"])
  }

  @Test("by name renews what is not due, unless --within is given; --json lists what was renewed")
  func byName() async throws {
    let (program, enrolment) = try await Self.program()
    let within = try await program.run("identity", "renew", "good", "--within", "1d", "--json")
    #expect(within.json == [])
    let run = try await program.run("identity", "renew", "good", "--json")
    #expect(run.status == .status(.success))
    #expect(run.json?.array?.first?["name"] == "good")
    #expect(run.json?.array?.first?["origin"] == "fake")
    #expect(enrolment.asked.withLock { $0 } == ["good"])
  }

  @Test("keeps what it has if the service refuses, and renews the others")
  func refused() async throws {
    let (program, enrolment) = try await Self.program()
    let before = try program.identity("due")
    enrolment.isRefusing.withLock { $0 = true }
    let run = try await program.run("identity", "renew", "due", "good")
    expect(
      run, .refused,
      errors: """
        sdkctl: warning: could not renew the identity 'due': the service refused
        sdkctl: error: could not renew the identity 'good': the service refused

        """)
    #expect(enrolment.asked.withLock { $0 } == ["due", "good"])
    #expect(try program.identity("due") == before)
  }

  @Test("--all only warns of imported identities if there is no enrolment service")
  func noService() async throws {
    let program = try await TestProgram.withIdentities([
      ("due", try IdentityFixture(lifetime: 600))
    ])
    let message = "could not renew the identity 'due': the profile 'work' has no enrolment service"
    expect(
      try await program.run("identity", "renew", "--all"), .success,
      errors: "sdkctl: warning: \(message)\n")
    expect(
      try await program.run("identity", "renew"), .configuration,
      errors: "sdkctl: error: \(message)\n")
  }

  @Test("obtain stores an identity for the host of the profile or another")
  func obtain() async throws {
    let program = try TestProgram([:])
    program.enrol(at: Enrolment())
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
