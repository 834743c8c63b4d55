import CoreTestSupport

@testable import Commands
@testable import SDKCore

/// Files with a self-signed client certificate.
struct IdentityFixture {
  let key: PrivateKey
  let certificate: Certificate

  /// Valid from an hour before the tests' time.
  init(_ commonName: String = "alice", lifetime: Int64 = 30 * 86_400) throws {
    key = try PrivateKey.generate(.ec(.p256))
    certificate = try Certificate.selfSigned(
      by: key, commonName: commonName, from: TestProgram.now - 3600,
      to: TestProgram.now + lifetime)
  }

  var pem: String { key.pem + certificate.pem }

  func pkcs12(_ password: String) throws -> [UInt8] {
    try PKCS12(key: key, certificate: certificate, others: []).encoded(
      password: password, name: "alice")
  }
}

extension TestProgram {
  /// A program with the current profile `work`, and these identities by name.
  static func withIdentities(_ fixtures: [(String, IdentityFixture)]) async throws -> TestProgram {
    let program = try TestProgram([:])
    for (name, fixture) in fixtures {
      let path = try program.folder.write(fixture.pem, to: "\(name).pem")
      let run = try await program.run([
        "identity", "import", path, "--name", name, "--allow-unusable",
      ])
      guard run.status == .status(.success) else { throw SDKError(.store, run.errors) }
    }
    return program
  }

  /// A stored identity.
  func identity(_ name: String) throws -> Identity {
    try IdentityStore(store, self.name, now: { TestProgram.now })
      .identity(named: try IdentityName(name))
  }
}
