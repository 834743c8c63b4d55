import JSON
import OpenSSL
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential kubectl")
struct CredentialKubectlTests {
  private static func request(_ version: String = "v1", _ spec: String = "{}") -> String {
    #"{"apiVersion":"client.authentication.k8s.io/\#(version)","kind":"ExecCredential","spec":\#(spec)}"#
  }

  @Test("prints the token in the version of the request", arguments: ["v1", "v1beta1", "", nil])
  func versions(version: String?) async throws {
    let program = try await TestProgram.loggedIn()
    let request = version.map { $0.isEmpty ? "" : Self.request($0) }
    program.setVariable("KUBERNETES_EXEC_INFO", request)
    let run = try await program.run("credential", "kubectl")
    #expect(run.status == .status(.success))
    #expect(
      run.json == [
        "apiVersion": .string(
          "client.authentication.k8s.io/\(request == "" ? "v1" : version ?? "v1")"),
        "kind": "ExecCredential",
        "status": ["token": "u1", "expirationTimestamp": "2027-01-15T09:00:00Z"],
      ])
  }

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

  @Test(
    "prints no certificate unless it is named",
    arguments: [["--no-token"], ["--no-token", "--identity", "a", "--id-token"]])
  func usage(words: [String]) async throws {
    let run = try await TestProgram.loggedIn().run(["credential", "kubectl"] + words)
    #expect(run.status == .status(.usage))
  }

  @Test("leaves out an expiry that is not known")
  func endless() async throws {
    let run = try await TestProgram.loggedIn(lifetime: nil).run("credential", "kubectl")
    #expect(run.json?["status"] == ["token": "u1"])
  }

  @Test(
    "refuses a request that it does not understand",
    arguments: [
      ("{", "it is not an ExecCredential"),
      (
        #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"Pod"}"#,
        "it is not an ExecCredential"
      ),
      (request("v1alpha1"), "the version 'client.authentication.k8s.io/v1alpha1' is not supported"),
      (request("v1", #"{"cluster":{"server":"x"}}"#), "the server is not a URL"),
      (request("v1", #"{"cluster":{"server":["https://evil.test"]}}"#), "the server is not a URL"),
      (request("v1", #"{"cluster":{"server":null}}"#), "the server is not a URL"),
      (request("v1", #"{"cluster":{}}"#), "the server is not a URL"),
      (request("v1", #"{"cluster":["https://evil.test"]}"#), "'cluster' is not an object"),
      (request("v1", #"["cluster"]"#), "'spec' is not an object"),
      (request("v1", #"{"interactive":"false"}"#), "'interactive' is not true or false"),
      (
        request("v1", #"{"cluster":{"server":"https://api.test?.evil"}}"#),
        "the server is not a URL"
      ),
      (
        request("v1", #"{"cluster":{"server":"https://api.test#@evil"}}"#),
        "the server is not a URL"
      ),
    ])
  func unknown(text: String, cause: String) async throws {
    let program = try await TestProgram.loggedIn()
    program.setVariable("KUBERNETES_EXEC_INFO", text)
    expect(
      try await program.run("credential", "kubectl"), .usage,
      errors: "sdkctl: error: could not read KUBERNETES_EXEC_INFO: \(cause)\n")
  }

  @Test("prints the token for a cluster only if the profile allows its host")
  func hosts() async throws {
    let program = try await TestProgram.loggedIn(["allowedHosts": ["k8s.test:6443"]])
    program.setVariable(
      "KUBERNETES_EXEC_INFO",
      Self.request("v1", #"{"cluster":{"server":"https://k8s.test:6443"}}"#))
    #expect(try await program.run("credential", "kubectl").status == .status(.success))
    program.setVariable(
      "KUBERNETES_EXEC_INFO",
      Self.request("v1", #"{"cluster":{"server":"https://k8s.test:6443/k8s/clusters/c"}}"#))
    #expect(try await program.run("credential", "kubectl").status == .status(.success))
    program.setVariable("KUBERNETES_EXEC_INFO", Self.request("v1", #"{"cluster":null}"#))
    #expect(try await program.run("credential", "kubectl").status == .status(.success))
    program.setVariable(
      "KUBERNETES_EXEC_INFO", Self.request("v1", #"{"cluster":{"server":"https://evil.test"}}"#))
    expect(
      try await program.run("credential", "kubectl"), .policy,
      errors: """
        sdkctl: error: could not return the token: 'work' does not allow its credentials at \
        evil.test
        sdkctl: hint: sdkctl -p work profile set allowedHosts=k8s.test:6443,evil.test

        """)
  }

  @Test("does not ask if kubectl says that it is not interactive")
  func interactive() async throws {
    for (spec, opens) in [(#"{"interactive":false}"#, false), (#"{"interactive":true}"#, true)] {
      let program = try TestProgram([:])
      try await program.register()
      program.browser.remove()
      program.setVariable("KUBERNETES_EXEC_INFO", Self.request("v1", spec))
      let run = try await program.run("credential", "kubectl", "--interactive")
      #expect(run.output == "")
      #expect(program.browser.opened.isEmpty != opens)
    }
  }

  @Test("prints the ID token, with its own expiry")
  func idToken() async throws {
    let program = try await TestProgram.loggedIn()
    // {"alg":"none"} and {"exp":1800000600}
    let token = "eyJhbGciOiJub25lIn0.eyJleHAiOjE4MDAwMDA2MDB9.AAAA"
    try await program.store("u1", idToken: token)
    let run = try await program.run("credential", "kubectl", "--id-token")
    #expect(
      run.json?["status"] == [
        "token": .string(token), "expirationTimestamp": "2027-01-15T08:10:00Z",
      ])
    #expect(program.transport.sent.isEmpty)
  }

  @Test("install prints the commands that configure a user")
  func install() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run("credential", "kubectl", "install", "--id-token")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("kubectl config set-credentials sdkctl-work --exec-command="))
    #expect(lines[0].containsText("--exec-arg=kubectl --exec-arg=--id-token"))
    #expect(lines[0].containsText("--exec-env=SDKCTL_HOME="))
  }
}
