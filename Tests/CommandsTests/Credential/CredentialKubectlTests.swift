import CoreTestSupport

@testable import Commands

@Suite("credential kubectl")
struct CredentialKubectlTests {
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
