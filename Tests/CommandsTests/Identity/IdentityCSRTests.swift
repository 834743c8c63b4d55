import JSON
import OpenSSL
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("identity csr")
struct IdentityCSRTests {
  @Test("prints a request; the certificate is imported by its key alone")
  func request() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "identity", "csr", "mine", "--subject", "CN=alice,O=Example", "--key-type", "ed25519")
    #expect(run.status == .status(.success))
    #expect(
      run.errors
        == "sdkctl: the key of 'mine' is stored; import the certificate when it is issued\n")
    #expect(try CertificateRequest(pem: Array(run.output.utf8)).subject == "CN=alice,O=Example")
    #expect(!run.output.contains("PRIVATE"))
    let der = try await program.run("identity", "csr", "mine", "--same-key")
    #expect(der.status == .status(.identity))
  }

  @Test("refuses a subject that is not valid, and stores nothing")
  func badSubject() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("identity", "csr", "--subject", "alice")
    expect(
      run, .usage,
      errors: "sdkctl: error: could not make the certificate request: "
        + "it is not of the form CN=NAME,O=ORGANISATION\n")
    #expect(!program.folder.exists("store/state/profiles/work/identities"))
  }

  @Test("uses the key of an identity again, also a sealed one")
  func sameKey() async throws {
    let fixture = try IdentityFixture()
    let program = try await TestProgram.withIdentities([("a", fixture)])
    let run = try await program.run("identity", "csr", "a", "--same-key")
    #expect(run.status == .status(.success))
    let request = try CertificateRequest(pem: Array(run.output.utf8))
    #expect(request.spki == (try fixture.key.publicKey.spki))
  }
}
