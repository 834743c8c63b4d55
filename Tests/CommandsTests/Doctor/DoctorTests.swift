import CoreTestSupport
import Foundation

@testable import Commands

@Suite("doctor")
struct DoctorTests {
  /// The findings of these checks, as `status check profile subject`.
  private func rows(_ run: ProgramRun, _ checks: String...) -> [String] {
    (run.json?["findings"]?.array ?? []).compactMap { finding in
      guard let check = finding["check"]?.string, checks.contains(check) else { return nil }
      return [finding["status"], finding["check"], finding["profile"], finding["subject"]]
        .map { $0?.string ?? "-" }.joined(separator: " ")
    }
  }

  private func finding(_ run: ProgramRun, _ check: String) -> JSON? {
    run.json?["findings"]?.array?.first { $0["check"]?.string == check }
  }

  @Test("says that libcurl is missing, and that a clock is wrong")
  func machine() async throws {
    let program = try TestProgram()
    program.removeNetwork()
    program.browser.remove()
    program.now = 1_700_000_000
    let run = try await program.run("doctor", "--json")
    #expect(run.status == .status(.verification))
    #expect(
      rows(run, "libcurl", "clock", "browser") == [
        "error clock - -", "error libcurl - -", "warning browser - -",
      ])
    #expect(finding(run, "browser")?["hint"] == "sdkctl login --device")
    #expect(run.json?["healthy"] == false)
    #expect(run.json?["errors"] == 2)
  }

  @Test("on a terminal begins with a summary, and shows the ends of long paths")
  func summary() async throws {
    let program = try TestProgram([:])
    let path = program.folder.file("store/config/profiles/work/profile.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    program.terminal.connect(.output)
    program.terminal.setWidth(100)
    let lines = try await program.run("doctor").output.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: /1 error, \d+ warnings?; \d+ checks/) != nil, "\(lines)")
    #expect(lines.contains { $0.contains("…/profiles/work/profile.json") }, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 99 })
  }

  @Test("says what has expired and what can be renewed")
  func tokens() async throws {
    let program = try await TestProgram.loggedIn()
    let fresh = try await program.run("doctor", "--json")
    #expect(
      rows(fresh, "token", "registration") == ["ok token work user", "ok registration work app"])
    #expect(
      finding(fresh, "token")?["message"] == "it ends at 2027-01-15T09:00:00Z, and can be renewed")
    try await program.store("u2", lifetime: -60, refreshToken: nil)
    try await program.store("a1", lifetime: -60, refreshToken: nil, in: .anonymous)
    let late = try await program.run("doctor", "--json")
    #expect(
      rows(late, "token") == ["warning token work user", "ok token work anonymous"])
    #expect(finding(late, "token")?["hint"] == "sdkctl -p work login")
    #expect(
      finding(late, "token")?["message"]
        == "it expired at 2027-01-15T07:59:00Z, and cannot be renewed without a login")
  }

  @Test(
    "says when the client's secret ends",
    arguments: [
      (-1, "error", "the client's secret expired at "),
      (86_400, "warning", "the client's secret ends at "),
      (40 * 86_400, "ok", "the client's secret ends at "),
    ])
  func registration(seconds: Int64, status: String, message: String) async throws {
    let program = try TestProgram([:])
    let end = TestProgram.now + seconds
    try await program.register(["client_secret_expires_at": .int(end.seconds)])
    let run = try await program.run("doctor", "--json")
    #expect(rows(run, "registration") == ["\(status) registration work app"])
    #expect(finding(run, "registration")?["message"]?.string == "\(message)\(end)")
    #expect(
      finding(run, "registration")?["hint"]
        == (status == "error" ? "sdkctl -p work register --replace" : .null))
  }

  @Test("has what the linters of settings and pins find, once")
  func linters() async throws {
    let program = try TestProgram(["pkce": false])
    let run = try await program.run("doctor", "--json")
    #expect(run.status == .status(.verification))
    #expect(
      rows(run, "settings", "pins") == [
        "warning settings work pkce", "error pins work id.test", "error pins work api.test",
      ])
    #expect(finding(run, "pins")?["hint"] == "sdkctl -p work pin add id.test")
    let add = ["pin", "add", TestChain.pin("a").description, "--yes", "--host"]
    _ = try await program.run(add + ["id.test"])
    // A host that has no pins among others that have is what the linter of settings names.
    let half = rows(try await program.run("doctor", "--json"), "settings")
    #expect(half == ["warning settings work pkce", "warning settings work resourceURL"])
    _ = try await program.run(add + ["api.test"])
    let pinned = try await program.run("doctor", "--json")
    #expect(pinned.status == .status(.success))
    let severities = Set(rows(pinned, "pins").map { $0.split(separator: " ").first ?? "" })
    #expect(severities == ["warning"])
  }

  @Test("a profile that cannot be opened does not hide the others")
  func broken() async throws {
    let program = try await TestProgram.withOther()
    try program.folder.write(
      #"{"version":1,"issuer":7}"#, to: "store/config/profiles/other/profile.json")
    let run = try await program.run("doctor", "--json")
    #expect(rows(run, "settings").contains("error settings other issuer"))
    #expect(rows(run, "settings").contains("ok settings work -"))
    #expect(rows(run, "token") == ["ok token work -"])
    let one = try await program.run("-p", "work", "doctor", "--json")
    #expect(rows(one, "settings") == ["ok settings work -"])
    #expect(try await program.run("-p", "nobody", "doctor").status == .status(.configuration))
  }

  @Test("mends modes, says what it did, and reports what is left")
  func fix() async throws {
    let program = try await TestProgram.loggedIn()
    let path = "store/state/profiles/work/credentials/user.json"
    try program.folder.setMode(0o644, of: path)
    let found = try await program.run("doctor", "--json")
    #expect(rows(found, "permissions") == ["error permissions - \(program.folder.file(path))"])
    #expect(finding(found, "permissions")?["fixable"] == true)
    #expect(finding(found, "permissions")?["hint"] == "sdkctl doctor --fix")
    // What the file says is not known.
    #expect(rows(found, "token", "users") == ["ok token work -"])
    let mended = try await program.run("doctor", "--fix", "--json")
    #expect(rows(mended, "permissions") == ["fixed permissions - \(program.folder.file(path))"])
    #expect(
      finding(mended, "permissions")?["message"]
        == "others may use it (mode 0644); its mode is 0600 now")
    #expect(mended.json?["fixed"] == 1)
    #expect(rows(mended, "token") == ["ok token work user"])
    #expect(try FileStatus.of(program.folder.file(path)).mode == 0o600)
  }

  @Test("asks servers with --online only")
  func online() async throws {
    let program = try await TestProgram.loggedIn(["pinPolicy": "report"])
    #expect(rows(try await program.run("doctor", "--json"), "discovery", "server-pins") == [])
    #expect(program.transport.sent.isEmpty)
    program.trust("id.test")
    program.transport.respond("https://id.test/jwks", .json(#"{"keys":[]}"#))
    let run = try await program.run("doctor", "--online", "--json")
    #expect(run.status == .status(.verification))
    #expect(
      rows(run, "discovery", "server-pins", "server-clock") == [
        "warning server-pins work id.test", "warning server-pins work api.test",
        "ok discovery work https://id.test", "ok server-clock work https://id.test",
      ])
    #expect(!program.transport.sent.isEmpty)
  }
}
