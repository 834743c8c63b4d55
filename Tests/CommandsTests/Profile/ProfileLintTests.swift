import JSON
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("profile lint")
struct ProfileLintTests {
  @Test("prints the problems of the profile, and fails for errors, or for warnings with --strict")
  func profile() async throws {
    let program = try TestProgram(["redirectURI": "app://cb"])
    let run = try await program.run("profile", "lint")
    #expect(run.status == .status(.success), "\(run)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("3\twarning\topen-scheme\tredirectURI\tany program") })
    #expect(lines.contains { $0.contains("\twarning\tunpinned\tissuer\tid.test has no pins") })
    #expect(try await program.run("profile", "lint", "--strict").status == .status(.verification))
    _ = try await program.run("profile", "set", "discovery=false")
    #expect(try await program.run("profile", "lint").status == .status(.verification))
  }

  @Test("prints JSON")
  func json() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("profile", "lint", "--json", "-", input: "{\n\"scop\": 1}")
    #expect(run.status == .status(.verification))
    #expect(
      run.json == [
        [
          "setting": "scop", "line": 2, "severity": "error", "problem": "unknown-key",
          "message": "there is no such setting",
        ]
      ])
    let none = try await program.run("profile", "lint", "--json", "-", input: "{\"scope\": \"a\"}")
    #expect(none.json == [])
    #expect(none.status == .status(.success))
  }

  @Test(
    "reads every file that profile import reads",
    arguments: [
      (#"{"profileExport": 1, "profile": {"pkce": false}}"#, "switched-off\tpkce"),
      (#"{"client_id": "a", "redirect_uri": "app://x", "SCOPE": "s"}"#, "open-scheme\tredirectURI"),
      (#"{"ONGAppBaseURL": "https://id.test"}"#, "unpinned\tissuer"),
      ("{\"scope\": }", "malformed\t-"),
      (
        "<plist><dict><key>redirectURI</key><string>app://x</string></dict></plist>",
        "open-scheme\tredirectURI"
      ),
    ])
  func files(text: String, line: String) async throws {
    let program = try TestProgram([:])
    let run = try await program.run("profile", "lint", "-", input: text)
    #expect(run.output.contains(line), "\(run)")
  }

  @Test("reads the folder of an export")
  func folder() async throws {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"token_server_uri": "https://id.test", "redirect_url": "app://x"}"#,
      to: "export/config.json")
    let run = try await program.run("profile", "lint", program.folder.file("export"))
    expect(
      run, .usage,
      errors: "sdkctl: error: could not read the configuration: it has no certificates, so its "
        + "hosts could not be pinned\n")
  }

  @Test("names damaged users, and what is none")
  func users() async throws {
    let program = try TestProgram([:])
    let state = "store/state/profiles/work/"
    _ = try program.folder.write("{", to: state + "users/bob/seal.json")
    _ = try program.folder.write("x", to: state + "users/note")
    _ = try program.folder.write("{", to: state + "users.json")
    let run = try await program.run("profile", "lint")
    #expect(run.status == .status(.verification), "\(run)")
    #expect(run.output.contains("error\tdamaged-user\tusers/bob/seal.json\t"), "\(run)")
    #expect(run.output.contains("error\tdamaged-user\tusers.json\t"))
    #expect(run.output.contains("warning\tunknown-user\tusers/note\t"))
  }

  @Test("finds a file of the profile that others commands refuse")
  func damaged() async throws {
    let program = try TestProgram([:])
    let path = "store/config/profiles/work/profile.json"
    _ = try program.folder.write("{\n  \"version\": 1,\n  \"scope\": 7\n}\n", to: path)
    let run = try await program.run("profile", "lint")
    #expect(run.status == .status(.verification))
    #expect(run.output.hasPrefix("3\terror\tinvalid-value\tscope\t"), "\(run)")
    _ = try program.folder.write("{\n\n]", to: path)
    let broken = try await program.run("profile", "lint")
    #expect(broken.output.hasPrefix("3\terror\tmalformed\t-\t"), "\(broken)")
  }

  @Test("refuses an export that is none, whose settings nobody could find")
  func damagedExport() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(#"{"profileExport":"x"}"#, to: "export.json")
    let run = try await program.run("profile", "lint", file)
    #expect(run.status != .status(.verification), "\(run)")
    #expect(run.errors.hasPrefix("sdkctl: error: "))
    #expect(run.output == "")
  }
}
