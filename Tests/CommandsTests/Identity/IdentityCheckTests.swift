import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity check")
struct IdentityCheckTests {
  @Test(
    "exits with the status of the worst condition",
    arguments: [
      (["good"], .success), (["due"], .verification), (["good", "due"], .verification),
      (["old"], .identity), (["due", "old"], .identity), ([], .identity), (["none"], .identity),
      (["good", "--within", "29d"], .success),
      (["good", "--within", "30d"], .verification),
      (["due", "--within", "9m"], .success), (["due", "--within", "90%"], .success),
    ] as [([String], ExitCode)])
  func check(words: [String], exit: ExitCode) async throws {
    let program = try await TestProgram.withConditions()
    let run = try await program.run(["identity", "check"] + words)
    #expect(run.status == .status(exit), "\(run)")
    let quiet = try await program.run(["-q", "identity", "check"] + words)
    #expect(quiet.status == .status(exit))
    #expect(quiet.output == "")
  }

  @Test("prints conditions and the time of renewal")
  func conditions() async throws {
    let program = try await TestProgram.withConditions()
    let run = try await program.run("identity", "check", "good", "--within", "1d")
    expect(run, .success, output: "good\tgood\t2027-02-14T08:00:00Z\n")
    let json = try await program.run("identity", "check", "good", "--within", "1d", "--json")
    #expect(
      json.json == [
        [
          "name": "good", "condition": "good", "expires": "2027-02-14T08:00:00Z",
          "due": "2027-02-13T08:00:00Z",
        ]
      ])
  }
}
