import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("credential kubectl")
struct CredentialKubectlTests {
  @Test("prints a client certificate with its key, beside a token or without one")
  func certificate() async throws {
    let program = try await TestProgram.loggedIn()
    let fixture = try IdentityFixture(lifetime: 60)
    let path = try program.folder.write(fixture.pem, to: "alice.pem")
    _ = try await program.run("identity", "import", path, "--name", "alice")
    let both = try await program.run("credential", "kubectl", "--identity", "alice")
    let end = (TestProgram.now + 60).description
    #expect(
      both.json?["status"] == [
        "token": "u1", "clientCertificateData": .string(fixture.certificate.pem),
        "clientKeyData": .string(fixture.key.pem), "expirationTimestamp": .string(end),
      ])
    let words = ["credential", "kubectl", "--identity", "alice", "--no-token"]
    let one = try await program.run(words)
    #expect(one.json?["status"]?["token"] == nil)
    #expect(one.json?["status"]?["clientKeyData"] == .string(fixture.key.pem))
    let line = try await program.run(words + ["install"])
    #expect(line.output.contains("--exec-arg=--identity --exec-arg=alice --exec-arg=--no-token"))
    program.now = TestProgram.now + 61
    expect(
      try await program.run(words), .identity,
      errors: """
        sdkctl: error: could not print the identity 'alice': it expired at \(end)
        sdkctl: hint: sdkctl -p work identity renew alice

        """)
  }

  @Test("does not ask if kubectl says that it is not interactive")
  func interactive() async throws {
    for (spec, opens) in [(#"{"interactive":false}"#, false), (#"{"interactive":true}"#, true)] {
      let program = try TestProgram([:])
      try await program.register()
      program.browser.remove()
      let version = "client.authentication.k8s.io/v1"
      program.setVariable(
        "KUBERNETES_EXEC_INFO",
        #"{"apiVersion":"\#(version)","kind":"ExecCredential","spec":\#(spec)}"#)
      let run = try await program.run("credential", "kubectl", "--interactive")
      #expect(run.output == "")
      #expect(program.browser.opened.isEmpty != opens)
    }
  }
}
