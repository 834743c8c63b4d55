import CoreTestSupport

@testable import Commands
@testable import SDKCore

/// Issues self-signed certificates, or refuses.
final class TestEnrolment: IdentityObtaining {
  let name = "fake"
  let isRefusing = Mutex(false)
  let asked = Mutex<[String]>([])

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    asked.withLock { $0.append(request.name.description) }
    let name = request.current?.chain.leaf.commonName ?? "new"
    guard !isRefusing.withLock({ $0 }), let fixture = try? IdentityFixture(name) else {
      throw SDKError(.refused, cause: "the service refused")
    }
    return Identity(
      name: request.name, hosts: request.hosts,
      chain: try ClientCertificateChain(pem: Array(fixture.certificate.pem.utf8)),
      key: .pem(fixture.key.pem), origin: .obtained(by: self.name),
      obtainedAt: TestProgram.now)
  }
}

extension TestProgram {
  /// A program with the identities `due` and `good`, and an enrolment service.
  static func enrolled() async throws -> (program: TestProgram, enrolment: TestEnrolment) {
    let program = try await TestProgram.withIdentities([
      ("due", try IdentityFixture(lifetime: 600)), ("good", try IdentityFixture()),
    ])
    let enrolment = TestEnrolment()
    program.enrol(at: enrolment)
    return (program, enrolment)
  }
}
