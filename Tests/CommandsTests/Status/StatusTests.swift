import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("status")
struct StatusTests {
  @Test("without a profile says so, and succeeds")
  func none() async throws {
    let program = try TestProgram()
    let store = program.folder.file("store")
    expect(
      try await program.run("status"), .success,
      output: """
        store:      \(store)/config, \(store)/state
        profile:    none (there is no profile)

        """)
    let json = try await program.run("status", "--json").json
    #expect(json?["profile"] == .null)
    #expect(json?["profiles"] == 0)
  }

  @Test("does not say that tokens can be refreshed whose refresh the server has refused")
  func refusedRefresh() async throws {
    let program = try await TestProgram.loggedIn([:])
    #expect(try await program.run("status").output.contains("can be refreshed"))
    program.transport.respond(FakeServer.tokenURL, [.status(400)])
    expect(
      try await program.run("token", "refresh"), .authenticationRequired,
      errors: """
        sdkctl: error: could not use the login of 'work': id.test returned 400, without an error code
        sdkctl: hint: sdkctl -p work login

        """)
    #expect(!(try await program.run("status").output.contains("can be refreshed")))
    let json = try await program.run("status", "--json").json
    #expect(json?["user"]?["refreshable"] == false, "\(json ?? .null)")
  }

  @Test("says who is logged in and until when, and uses no network")
  func loggedIn() async throws {
    let program = try TestProgram([:])
    try await program.register()
    try await program.store("u1", lifetime: 300)
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("a"))", "--host", "api.test", "--yes", "--expires",
      "2027-01-20")
    let store = program.folder.file("store")
    expect(
      try await program.run("status"), .success,
      output: """
        store:      \(store)/config, \(store)/state
        profile:    work, the current profile, of 1
        server:     https://id.test
        client:     registered as app
        user:       logged in, expires 2027-01-15T08:05:00Z, in 5 minutes, can be refreshed
        implicit:   no token
        anonymous:  no token
        pins:       1 host; api.test expires 2027-01-21T00:00:00Z, in 5 days
        identities: 0 certificates

        """)
    let json = try await program.run("status", "--json").json
    #expect(json?["clientID"] == "app")
    #expect(json?["chosenBy"] == "current")
    #expect(
      json?["user"] == [
        "name": .null, "expires": "2027-01-15T08:05:00Z", "expired": false, "refreshable": true,
      ])
    #expect(
      json?["pinnedHosts"] == [
        "count": 1, "endingSoon": [["name": "api.test", "ends": "2027-01-21T00:00:00Z"]],
      ])
    #expect(program.transport.sent.isEmpty)
  }

  @Test("fails for a profile that does not exist")
  func missing() async throws {
    let run = try await TestProgram([:]).run("-p", "nobody", "status")
    #expect(run.status == .status(.configuration))
    #expect(run.output == "")
  }

  @Test("names a file of tokens that cannot be used")
  func damaged() async throws {
    let program = try await TestProgram.loggedIn()
    try program.folder.write("{", to: "store/state/profiles/work/credentials/user.json")
    let run = try await program.run("status")
    #expect(run.output.contains("\nuser:       could not read '"), "\(run)")
    #expect(!run.output.contains("logged in"))
  }
}
