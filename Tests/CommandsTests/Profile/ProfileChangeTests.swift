import JSON
import SDKCore
import Testing

@testable import Commands

@Suite("profile set and unset")
struct ProfileChangeTests {
  @Test("write typed values, silently")
  func writes() async throws {
    let program = try TestProgram([:])
    expect(
      try await program.run("profile", "set", "scope=a b", "insecureLoopback=true"), .success)
    #expect(try program.members()["scope"] == "a b")
    #expect(try program.members()["insecureLoopback"] == true)
    expect(try await program.run("profile", "unset", "scope", "insecureLoopback"), .success)
    #expect(
      try program.members() == [
        "issuer": "https://id.test", "resourceURL": "https://api.test/v1",
      ])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let words: [String]
    let exit: ExitCode
    let hint: String?
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    "refuse what is wrong with a hint, and write none of it",
    arguments: [
      Row(words: ["set", "scope=x", "pinPolicy=maybe"], exit: .configuration, hint: nil),
      Row(
        words: ["set", "scope=x", "nonsense=1"], exit: .configuration, hint: "sdkctl help profiles"),
      Row(
        words: ["set", "scope=x", "issuer=http://id.test"], exit: .configuration, hint: nil),
      Row(words: ["set", "scope"], exit: .usage, hint: "see 'sdkctl help profile set'"),
      Row(words: ["set", "=x"], exit: .usage, hint: "see 'sdkctl help profile set'"),
      Row(words: ["set"], exit: .usage, hint: "see 'sdkctl help profile set'"),
      Row(words: ["unset"], exit: .usage, hint: "see 'sdkctl help profile unset'"),
      Row(words: ["unset", "nonsense"], exit: .configuration, hint: "sdkctl help profiles"),
    ])
  func refuse(row: Row) async throws {
    let program = try TestProgram([:])
    let before = try program.members()
    let run = try await program.run(["profile"] + row.words)
    #expect(run.status == .status(row.exit))
    #expect(run.output == "")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("sdkctl: error: ") == true)
    #expect(
      lines.dropFirst().map(String.init) == (row.hint.map { ["sdkctl: hint: \($0)"] } ?? []))
    #expect(try program.members() == before)
  }
}

@Suite("profile use, rename and remove")
struct ProfileLifeTests {
  private static func program() throws -> TestProgram {
    let program = try TestProgram([:])
    try program.store.add(try Profile(name: try ProfileName("other")))
    return program
  }

  @Test("use makes a profile the current one, and says so")
  func use() async throws {
    let program = try Self.program()
    expect(
      try await program.run("profile", "use", "other"), .success,
      errors: "sdkctl: the current profile is 'other'\n")
    #expect(try program.store.current()?.description == "other")
  }

  @Test("rename keeps tokens and the current profile")
  func rename() async throws {
    let program = try Self.program()
    try program.store("u1")
    expect(try await program.run("profile", "rename", "work", "office"), .success)
    #expect(try program.store.names().map(\.description) == ["office", "other"])
    #expect(try program.store.current()?.description == "office")
    let run = try await program.run("token")
    #expect(run.output == "u1\n")
  }

  @Test("remove takes the tokens with it, once agreed to")
  func remove() async throws {
    let program = try Self.program()
    try program.store("u1")
    expect(try await program.run("profile", "remove", "work", "--yes"), .success)
    #expect(try program.store.names().map(\.description) == ["other"])
    #expect(try program.stored() == nil)
  }

  @Test("remove asks on a terminal, and does nothing without a yes")
  func asking() async throws {
    let program = try Self.program()
    expect(
      try await program.run("profile", "remove", "work"), .usage,
      errors: """
        sdkctl: error: could not ask for consent: there is no terminal, and --yes is missing

        """)
    program.terminal.connect(.input, .errors)
    program.terminal.type("n", "y")
    expect(
      try await program.run("profile", "remove", "work"), .declined,
      errors: "sdkctl: error: could not go on: you declined\n")
    #expect(try program.store.names().count == 2)
    expect(try await program.run("profile", "remove", "work"), .success)
    #expect(try program.store.names().count == 1)
    let question = "Remove the profile 'work' with its registration and tokens?"
    #expect(program.terminal.prompts == [question, question])
  }

  @Test(
    "fail with 3 for a profile that does not exist",
    arguments: [
      ["use", "nobody"], ["rename", "nobody", "x"], ["remove", "nobody", "--yes"],
    ])
  func missing(words: [String]) async throws {
    let run = try await Self.program().run(["profile"] + words)
    #expect(run.status == .status(.configuration))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl profile list\n"))
  }

  @Test("rename does not replace a profile, nor take a name that is not one")
  func renameRefused() async throws {
    let program = try Self.program()
    for name in ["other", ".x", "a/b"] {
      let run = try await program.run("profile", "rename", "work", name)
      #expect(run.status == .status(.configuration), "\(name)")
    }
    #expect(try program.store.names().map(\.description) == ["other", "work"])
  }
}
