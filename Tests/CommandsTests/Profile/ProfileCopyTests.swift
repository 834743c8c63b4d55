import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile copy")
struct ProfileCopyTests {
  @Test("copies settings and pins, and no secret")
  func copy() async throws {
    let program = try TestProgram(["scope": "a b"])
    try await program.register()
    try await program.store("u1")
    _ = try await program.run("pin", "add", "\(TestChain.pin("a"))", "--host", "api.test", "--yes")
    expect(
      try await program.run("profile", "copy", "work", "lab"), .success,
      errors: "sdkctl: created the profile 'lab' with the settings and pins of 'work'\n")
    #expect(try program.members(of: "lab") == program.members(of: "work"))
    let pins = try await program.run("-p", "lab", "pin", "list")
    #expect(pins.output.contains("\(TestChain.pin("a"))"))
    #expect(!program.folder.exists("store/state/profiles/lab"))
    #expect(try program.store.current()?.description == "work")
  }

  @Test("with --json prints both names")
  func json() async throws {
    let run = try await TestProgram([:]).run("profile", "copy", "work", "lab", "--json")
    expect(run, .success, output: #"{"from":"work","profile":"lab"}"# + "\n")
  }

  @Test(
    "refuses what does not exist, what exists, and what is not a name",
    arguments: [
      (["nobody", "x"], "could not find the profile 'nobody'"),
      (["work", "work"], "could not create the profile 'work': it exists already"),
      (["work", "../x"], "could not use the profile name: it must be"),
    ])
  func refused(words: [String], message: String) async throws {
    let program = try TestProgram([:])
    let before = try program.folder.files()
    let run = try await program.run(["profile", "copy"] + words)
    #expect(run.status == .status(.configuration))
    #expect(run.errors.hasPrefix("sdkctl: error: \(message)"), "\(run)")
    #expect(try program.folder.files().filter { !$0.key.hasPrefix("streams") } == before)
  }

  @Test("copies a profile of the site, which cannot be changed itself")
  func site() async throws {
    let program = try TestProgram()
    try program.folder.write(
      #"{"version": 1, "issuer": "https://corp.test", "resourceURL": "https://api.test"}"#,
      to: "site/profiles/corp/profile.json")
    try program.folder.write(#"{"version": 1, "current": "corp"}"#, to: "site/config.json")
    for words in [
      ["set", "scope=a"], ["remove", "corp", "--yes"],
    ] {
      let run = try await program.run(["profile"] + words)
      expect(
        run, .configuration,
        errors: """
          sdkctl: error: could not change the profile 'corp': it is a profile of the site \
          ('\(program.site)')
          sdkctl: hint: sdkctl profile copy corp NEW

          """)
    }
    let pins = try await program.run(
      "pin", "add", "\(TestChain.pin("a"))", "--host", "api.test", "--yes")
    #expect(pins.status == .status(.configuration), "\(pins)")
    expect(try await program.run("profile", "copy", "corp", "mine", "-q"), .success)
    expect(try await program.run("-p", "mine", "profile", "set", "scope=a"), .success)
    #expect(try program.members(of: "mine")["scope"] == "a")
    let list = try await program.run("profile", "list", "--json")
    #expect(list.json?.array?.map { $0["site"] } == [true, false])
  }

  @Test("refuses a site that others can change")
  func looseSite() async throws {
    let program = try TestProgram()
    let file = try program.folder.write(
      #"{"version": 1, "issuer": "https://corp.test"}"#,
      to: "site/profiles/corp/profile.json", mode: 0o666)
    let run = try await program.run("-p", "corp", "profile", "show")
    expect(
      run, .configuration,
      errors: """
        sdkctl: error: could not trust '\(file)': others may use it (mode 0666)
        sdkctl: hint: chmod go-w \(file)

        """)
  }
}
