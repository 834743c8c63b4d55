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
    let file = store + "/state/profiles/work/credentials/user.json"
    #expect(
      json?["user"] == [
        "slot": "user", "expires": "2027-01-15T08:05:00Z", "expired": false, "refreshable": true,
        "sealed": false, "file": .string(file), "protection": "mode 0600", "source": "store",
        "provider": "bearer", "scope": "a b", "idToken": false, "cookies": .null, "error": .null,
      ])
    let show = try await program.run("profile", "show", "--json").json
    let list = try await program.run("token", "list", "--json").json?.array?.first
    let users = try await program.run("user", "list", "--json").json?.array?.first
    let all = try await program.run("status", "--all", "--json").json?.array?.first
    for state in [show?["state"], users, all] { #expect(state?["user"] == json?["user"]) }
    for (name, value) in json?["user"]?.object ?? [:] { #expect(list?[name] == value) }
    #expect(
      json?["pinnedHosts"] == [
        "count": 1, "endingSoon": [["name": "api.test", "expires": "2027-01-21T00:00:00Z"]],
      ])
    #expect(program.transport.sent.isEmpty)
  }

  @Test("with --all lists the login of each profile, and warns of one that cannot be read")
  func all() async throws {
    let program = try await TestProgram.loggedIn(lifetime: 300)
    try await program.store("a1", lifetime: -60, refreshToken: nil, in: .anonymous)
    try await program.store.add(try Profile(name: ProfileName("home")))
    let home = "home\tdefault\t-\t-\t-\t-\t-\t-\n"
    let work =
      "work\tdefault\t-\tcurrent\tregistered\t2027-01-15T08:05:00Z\t-\t2027-01-15T07:59:00Z\n"
    expect(try await program.run("status", "--all"), .success, output: home + work)
    expect(try await program.run("status", "--all", "-p", "home"), .success, output: home)
    #expect(program.transport.sent.isEmpty)
    try program.folder.write("{", to: "store/config/profiles/home/profile.json")
    let run = try await program.run("status", "--all")
    #expect(run.status == .status(.success) && run.output == work)
    #expect(run.errors.hasPrefix("sdkctl: warning: could not read "), "\(run)")
  }
}
