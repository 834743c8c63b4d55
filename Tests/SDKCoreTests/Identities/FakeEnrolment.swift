import CoreTestSupport

@testable import SDKCore

/// An enrolment service that issues self-signed certificates.
final class FakeEnrolment: IdentityObtaining {
  let name = "fake"
  private let requests = Mutex<[IdentityRequest]>([])
  private let change: @Sendable (Identity) throws -> Identity

  /// - Parameter change: what it does to an identity before it returns it.
  init(_ change: @escaping @Sendable (Identity) throws -> Identity = { $0 }) {
    self.change = change
  }

  /// What it was asked for.
  var asked: [IdentityRequest] { requests.withLock { $0 } }

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    requests.withLock { $0.append(request) }
    do {
      let made = try TestIdentity.make(
        request.name.description, hosts: [],
        commonName: request.current?.chain.leaf.commonName ?? "tester")
      return try change(
        Identity(
          name: request.name, hosts: request.hosts, chain: made.chain, key: made.key,
          origin: .obtained(by: name), obtainedAt: TestIdentity.now))
    } catch {
      throw SDKError(.refused, "the service refused")
    }
  }
}
