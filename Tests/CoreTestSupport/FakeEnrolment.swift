import Synchronization

@testable package import SDKCore

/// An enrolment service that issues self-signed certificates.
package final class FakeEnrolment: IdentityObtaining {
  package let name = "fake"
  private let requests = Mutex<[IdentityRequest]>([])
  private let commonName: String
  private let lifetime: Int64
  private let change: @Sendable (Identity) throws -> Identity

  /// A service whose first certificate has that name, a further one that of the one before; `change` is what
  /// it does to an identity before it returns it, and it refuses with an error.
  package init(
    commonName: String = "tester", lifetime: Int64 = 86_400,
    _ change: @escaping @Sendable (Identity) throws -> Identity = { $0 }
  ) {
    (self.commonName, self.lifetime, self.change) = (commonName, lifetime, change)
  }

  /// What it was asked for.
  package var asked: [IdentityRequest] { requests.withLock { $0 } }

  package func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    requests.withLock { $0.append(request) }
    do {
      let made = try TestIdentity.make(
        request.name.description, hosts: [],
        commonName: request.current?.chain.leaf.commonName ?? commonName, lifetime: lifetime)
      return try change(
        Identity(
          name: request.name, hosts: request.hosts, chain: made.chain, key: made.key,
          origin: .obtained(by: name), obtainedAt: TestIdentity.now))
    } catch {
      throw SDKError(.refused, cause: "the service refused")
    }
  }
}
