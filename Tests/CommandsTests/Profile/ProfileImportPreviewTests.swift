import JSON
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("profile import --dry-run")
struct ProfileImportPreviewTests {
  private static let words = ["profile", "import", "--new", "new", "--dry-run"]

  @Test("prints what would be set and the problems, writes nothing, and fails for errors")
  func preview() async throws {
    let program = try TestProgram([:])
    let before = try program.folder.files().filter { !$0.key.hasPrefix("streams") }
    let text = "{\n\"issuer\": \"https://id.test\",\n\"redirectURI\": \"app://cb\"}"
    let run = try await program.run(Self.words + ["-"], input: text)
    #expect(run.status == .status(.success), "\(run)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains("issuer=https://id.test"))
    #expect(lines.contains { $0.hasPrefix("3\twarning\topen-scheme\tredirectURI\tany program") })
    #expect(lines.contains { $0.contains("\twarning\tunpinned\tissuer\tid.test has no pins") })
    let wrong = try await program.run(
      Self.words + ["-"], input: #"{"issuer": "https://id.test", "discovery": false}"#)
    #expect(wrong.status == .status(.verification))
    #expect(try program.folder.files().filter { !$0.key.hasPrefix("streams") } == before)
  }

  @Test("compares with the profile that it would change")
  func existing() async throws {
    let program = try TestProgram(["scope": "a"])
    let run = try await program.run(
      "profile", "import", "--dry-run", "-", input: #"{"scope": "b"}"#)
    expect(
      run, .success, output: "scope=b (before: a)\n", errors: "sdkctl: nothing was changed\n")
    #expect(try program.store.profile(program.name).scope == "a")
  }

  @Test("prints JSON")
  func json() async throws {
    let program = try TestProgram([:])
    let run = try await program.run(Self.words + ["--json", "-"], input: "{\n\"scop\": 1}")
    #expect(run.status == .status(.verification))
    #expect(run.json?["profile"] == "new" && run.json?["settings"] == [:])
    #expect(
      run.json?["problems"] == [
        [
          "setting": "scop", "line": 2, "severity": "error", "problem": "unknown-key",
          "message": "there is no such setting",
        ]
      ])
    let none = try await program.run(Self.words + ["--json", "-"], input: #"{"scope": "a"}"#)
    #expect(none.json?["settings"] == ["scope": "a"] && none.json?["problems"] == [])
    #expect(none.status == .status(.success))
  }

  @Test(
    "reads every file that profile import reads",
    arguments: [
      (#"{"profileExport": 2, "profile": {"pkce": false}}"#, "switched-off\tpkce"),
      (#"{"client_id": "a", "redirect_uri": "app://x", "SCOPE": "s"}"#, "open-scheme\tredirectURI"),
      (#"{"ONGAppBaseURL": "https://id.test"}"#, "unpinned\tissuer"),
      ("{\"scope\": }", "malformed\t-"), ("{\n \"scope\": 7}", "2\terror\tinvalid-value\tscope"),
      (
        "<plist><dict><key>redirectURI</key><string>app://x</string></dict></plist>",
        "open-scheme\tredirectURI"
      ),
    ])
  func files(text: String, line: String) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(Self.words + ["-"], input: text)
    #expect(run.output.contains(line), "\(run)")
    #expect(try program.store.names() == [program.name])
  }

  @Test("reads the folder of an export")
  func folder() async throws {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"token_server_uri": "https://id.test", "redirect_url": "app://x"}"#,
      to: "export/config.json")
    let run = try await program.run(Self.words + [program.folder.file("export")])
    expect(
      run, .usage,
      errors: "sdkctl: error: could not read the configuration: it has no certificates, so its "
        + "hosts could not be pinned\n")
  }

  @Test("refuses an export that is none, whose settings nobody could find")
  func damagedExport() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(#"{"profileExport":"x"}"#, to: "export.json")
    let run = try await program.run(Self.words + [file])
    #expect(run.status != .status(.verification), "\(run)")
    #expect(run.errors.hasPrefix("sdkctl: error: "))
    #expect(run.output == "")
  }
}
