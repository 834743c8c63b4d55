import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile seal")
struct ProfileSealTests {
  /// A program whose user is logged in, and sealed under the passcode 27182.
  static func sealed() async throws -> TestProgram {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run("profile", "seal", "--passcode-file", "-", input: "27182\n")
    #expect(run.status == .status(.success), "\(run)")
    return program
  }

  @Test("asks for a new passcode twice, and leaves no refresh token readable")
  func typed() async throws {
    let program = try await TestProgram.loggedIn()
    for passcode in ["12345", "12345", "27182", "27182"] { program.terminal.type(passcode) }
    let run = try await program.run("profile", "seal", "--json")
    #expect(run.json == ["profile": "work", "sealed": ["user"]], "\(run)")
    #expect(
      program.terminal.prompts == [
        "New passcode of the profile 'work': ", "The same again: ",
        "New passcode of the profile 'work': ",
        "The same again: ",
      ])
    #expect(run.errors.contains("the digits of the passcode count up or down"))
    let tokens = try await #require(try program.stored())
    #expect(tokens.refreshToken == nil)
    #expect(tokens.isSealed)
    #expect(tokens.isRefreshable)
  }

  @Test("seals further slots without the passcode")
  func further() async throws {
    let program = try await Self.sealed()
    let run = try await program.run("profile", "seal", "--anonymous", "--json")
    #expect(run.json == ["profile": "work", "sealed": ["user", "anonymous"]], "\(run)")
    #expect(program.terminal.prompts.isEmpty)
  }

  @Test("refuses a passcode that the policy does not allow, with the vendors' number")
  func weak() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run(
      "profile", "seal", "--passcode-file", "-", "--json", input: "1234\n")
    #expect(run.status == .status(.usage), "\(run)")
    #expect(run.errors.contains("9014"))
    #expect(try await program.stored()?.refreshToken == "refresh-1")
  }

  @Test("seals what is named, or all, and says what that means")
  func named() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run(
      "profile", "seal", "client", "dpop", "--passcode-file", "-", input: "27182\n")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.errors.contains("sealed client, dpop of 'work'"))
    #expect(run.errors.contains("after 5 wrong passcodes, all that is sealed is erased"))
    #expect(run.errors.contains("implicit and anonymous requests need the passcode too"))
    #expect(run.errors.contains("each request with a bound token needs the passcode"))
    #expect(try await program.stored()?.refreshToken == "refresh-1")
    let all = try await program.run("profile", "seal", "--all", "--json")
    #expect(
      all.json == [
        "profile": "work",
        "sealed": ["user", "implicit", "anonymous", "client", "dpop", "identity"],
      ], "\(all)")
  }

  @Test(
    "takes either names or an option",
    arguments: [["client", "--all"], ["client", "--anonymous"], ["nothing"]])
  func mistakes(words: [String]) async throws {
    let program = try await TestProgram.loggedIn()
    #expect(try await program.run(["profile", "seal"] + words).status == .status(.usage))
  }

  @Test("leaves a login that status, profile list and profile remove know to be renewable")
  func shown() async throws {
    let program = try await TestProgram.loggedIn()
    try await program.store("u1", lifetime: -60)
    _ = try await program.run("profile", "seal", "--passcode-file", "-", input: "27182\n")
    #expect(
      try await program.run("status", "--field", "user.refreshable").output == "true\n")
    #expect(try await program.run("status").output.contains("60 seconds ago, sealed"))
    let list = try await program.run("status", "--all", "--json")
    #expect(list.json?.array?.first?["user"]?["sealed"] == true, "\(list)")
    let removal = try await program.run("profile", "remove", "work", "--yes", "--json")
    #expect(
      removal.json?["staysValid"] == [
        ["what": "registration", "name": "app", "until": .null],
        ["what": "tokens", "name": "user", "until": .null],
      ],
      "\(removal)")
  }

  @Test("is listed by profile show: the file of the passcode, and the tokens under it")
  func listed() async throws {
    let program = try await Self.sealed()
    _ = try program.folder.write(
      "{}", to: "store/state/profiles/work/dispatch-targets.json", mode: 0o600)
    let run = try await program.run("profile", "show", "--json")
    let found = (run.json?["secrets"]?.array ?? []).map {
      [$0["kind"]?.string, $0["protection"]?.string]
    }
    #expect(
      Set(found) == [
        ["registration", "permissions"], ["tokens", "sealedRefreshToken"], ["seal", "sealed"],
        ["dispatchTargets", "permissions"],
      ], "\(run)")
  }
}
