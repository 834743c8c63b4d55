import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile show")
struct ProfileShowTests {
  @Test("prints settings that profile set takes again")
  func roundTrip() async throws {
    let program = try TestProgram([
      "scope": "a b", "allowedHosts": ["api.test", "x.test:8443"], "insecureLoopback": true,
    ])
    let lines = try await program.run("profile", "show", "-q").output.split(separator: "\n")
    let before = try program.store.profile(program.name)
    let run = try await program.run(["profile", "set"] + lines.map(String.init))
    expect(run, .success)
    #expect(try program.store.profile(program.name).members == before.members)
  }

  @Test("shows registration, tokens and pins")
  func state() async throws {
    let program = try TestProgram([:])
    try await program.register()
    program.setVariable("SSL_CERT_DIR", "/authorities")
    program.setVariable("SSL_CERT_FILE", "/ca.pem")
    try await program.store("u1", lifetime: 300)
    try await program.store("d1", lifetime: nil, refreshToken: nil, in: .anonymous)
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("a"))", "--host", "api.test", "--yes")
    let run = try await program.run("profile", "show")
    #expect(run.status == .status(.success))
    let state = program.folder.path + "/store/state/profiles/work"
    let how = "not encrypted; only you can read it"
    #expect(
      run.errors.split(separator: "\n").map(String.init) == [
        "sdkctl: 'work' is the current profile",
        "sdkctl: registered as app",
        "sdkctl: user: expires 2027-01-15T08:05:00Z, in 5 minutes, can be refreshed",
        "sdkctl: implicit: no token", "sdkctl: anonymous: no known end",
        "sdkctl: pinned: api.test", "sdkctl: trusted authorities: /ca.pem",
        "sdkctl: secret (registration): \(state)/registration.json, \(how)",
        "sdkctl: secret (tokens): \(state)/credentials/user.json, \(how)",
        "sdkctl: secret (tokens): \(state)/credentials/anonymous.json, \(how)",
      ])
    #expect(!(run.output + run.errors).contains("secret-1"))
    #expect(!(run.output + run.errors).contains("u1"))
  }

  @Test("with --sources says where each value is from")
  func sources() async throws {
    let program = try TestProgram(["pkce": false])
    program.setVariable("SSL_CERT_FILE", "/ca.pem")
    let lines = try await program.run("profile", "show", "--sources", "-q").output
      .split(separator: "\n")
    for line in [
      "issuer=https://id.test\tprofile", "pkce=false\tprofile", "par=false\tdefault",
      "caFile=/ca.pem\tenvironment", "fido.passcodeAttempts=5\tdefault",
    ] { #expect(lines.contains { $0 == line }, "\(line)") }
    let run = try await program.run("profile", "show", "--sources", "--json")
    #expect(run.json?["sources"]?["pkce"] == ["value": "false", "source": "profile"])
    #expect(run.json?["sources"]?["par"] == ["value": "false", "source": "default"])
    #expect(run.json?["sources"]?["clientID"] == nil)
  }

  @Test("with --json prints settings and state in one object, without a secret")
  func json() async throws {
    let program = try TestProgram(["caFile": "/own.pem"])
    program.setVariable("SSL_CERT_FILE", "/ca.pem")
    try await program.register()
    try await program.store("u1", lifetime: 300)
    let run = try await program.run("profile", "show", "work", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    let home = program.folder.path + "/store"
    var shown = try #require(run.json?.object)
    let state = try #require(shown["state"])
    shown["state"] = nil
    #expect(
      JSON.object(shown) == [
        "version": 1, "name": "work", "issuer": "https://id.test",
        "resourceURL": "https://api.test/v1", "caFile": "/own.pem", "chosenBy": "flag",
        "chosenByFile": .null, "sources": .null,
        "secrets": [
          [
            "kind": "registration", "protection": "permissions",
            "file": .string("\(home)/state/profiles/work/registration.json"),
          ],
          [
            "kind": "tokens", "protection": "permissions",
            "file": .string("\(home)/state/profiles/work/credentials/user.json"),
          ],
        ],
      ])
    #expect(state["registered"] == true && state["clientID"] == "app")
    #expect(state["user"]?["expires"] == "2027-01-15T08:05:00Z")
    #expect(state["authorities"] == "/own.pem")
    #expect(
      state["files"]?.strings == [
        "\(home)/config/profiles/work", "\(home)/state/profiles/work",
      ])
    #expect(!run.output.contains("secret-1") && !run.output.contains("u1"))
  }

  @Test("fails with 3 if there is no such profile, or none is current")
  func missing() async throws {
    let program = try TestProgram()
    expect(
      try await program.run("profile", "show", "nobody"), .configuration,
      errors: """
        sdkctl: error: could not find the profile 'nobody'
        sdkctl: hint: sdkctl profile list

        """)
    expect(
      try await program.run("profile", "show"), .configuration,
      errors: """
        sdkctl: error: could not choose a profile: there is none in '\(program.store.location.config)'
        sdkctl: hint: sdkctl profile add NAME --issuer URL --resource-url URL --pin
        sdkctl: hint: to try the commands with a server on this machine: `sdkctl sandbox start`

        """)
  }
}
