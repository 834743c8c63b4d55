import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity list")
struct IdentityListTests {
  @Test("prints name, hosts, subject, condition and expiry, separated by tabs")
  func list() async throws {
    let run = try await TestProgram.withConditions().run("identity", "list")
    expect(
      run, .success,
      output: """
        due\tapi.test\tCN=due\tdue\t2027-01-15T08:10:00Z
        good\tapi.test\tCN=good\tgood\t2027-02-14T08:00:00Z
        old\tapi.test\tCN=old\texpired\t2027-01-15T07:59:00Z

        """)
  }

  @Test("prints the others if one is damaged, and fails")
  func damaged() async throws {
    let program = try await TestProgram.withConditions()
    try program.folder.write(
      "{", to: "store/state/profiles/work/identities/due/identity.json")
    let run = try await program.run("identity", "list", "--json")
    #expect(run.status == .status(.configuration))
    #expect(run.json?.array?.map { $0["name"] } == ["good", "old"])
  }

  @Test("names are completed")
  func completion() async throws {
    let run = try await TestProgram.withConditions().run(
      "__complete", "--", "identity", "show", "")
    expect(run, .success, output: "words\t\ndue\t\ngood\t\nold\t\n")
  }
}
