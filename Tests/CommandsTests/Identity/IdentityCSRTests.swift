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
    let request = try #require(try KeyMaterial.items(in: Array(run.output.utf8)).first)
    #expect((request.kind, request.label) == (.request, "CN=alice,O=Example"))
    #expect(!run.output.contains("PRIVATE"))
    let der = try await program.run("identity", "csr", "mine", "--same-key")
    #expect(der.status == .status(.identity))
  }

  @Test("refuses a second request, whose key would replace the first one; --replace makes it")
  func again() async throws {
    let program = try TestProgram([:])
    let file = "store/state/profiles/work/identities/mine/request.json"
    let words = ["identity", "csr", "mine", "--subject", "CN=alice"]
    #expect(try await program.run(words).status == .status(.success))
    let before = try program.folder.text(of: file)
    expect(
      try await program.run(words), .usage,
      errors: """
        sdkctl: error: could not make the certificate request: a certificate for 'mine' is \
        requested already, and its key would be lost
        sdkctl: hint: import its certificate, or replace the request with --replace, or remove it \
        with `sdkctl -p work identity remove mine`

        """)
    #expect(try program.folder.text(of: file) == before)
    #expect(try await program.run(words + ["--replace"]).status == .status(.success))
    #expect(try program.folder.text(of: file) != before)
  }

  @Test("uses the key of an identity again, also a sealed one")
  func sameKey() async throws {
    let fixture = try IdentityFixture()
    let program = try await TestProgram.withIdentities([("a", fixture)])
    let run = try await program.run("identity", "csr", "a", "--same-key")
    #expect(run.status == .status(.success))
    let request = try #require(try KeyMaterial.items(in: Array(run.output.utf8)).first)
    #expect(request.spki == (try fixture.key.publicKey.spki))
  }
}
