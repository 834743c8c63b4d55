import CoreTestSupport

@testable import Commands

@Suite("register update")
struct RegisterUpdateTests {
  @Test("makes a certificate, and reports it")
  func certificate() async throws {
    let program = try await ManagedClient.program(.json(#"{"client_id":"app"}"#))
    let run = try await program.run(
      "register", "update", "--auth-method", "self_signed_tls_client_auth")
    #expect(run.status == .status(.success))
    #expect(run.output.hasPrefix("certificate: CN=sdkctl, "))
  }
}
