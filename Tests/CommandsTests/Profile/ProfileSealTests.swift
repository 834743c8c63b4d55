import CoreTestSupport
import SDKCore

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
}
