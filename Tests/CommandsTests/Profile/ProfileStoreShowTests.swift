import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("profile store show")
struct ProfileStoreShowTests {
  @Test("prints the place, and a second one while a move is not finished")
  func shown() async throws {
    let program = try await TestProgram.loggedIn()
    #expect(try await program.run("profile", "store", "show").output == "files\n")
    let place = "store/state/profiles/work/place.json"
    try program.folder.write(
      """
      {"id":"","other":{"id":"work-1","place":"helper:none"},"place":"files","version":2}
      """, to: place, mode: 0o600)
    let run = try await program.run("profile", "store", "show")
    #expect(run.output == "files\n")
    #expect(run.errors.contains("'helper:none' may hold some of the secrets too"))
    #expect(run.errors.contains("hint: sdkctl -p work profile store move files"))
    #expect(
      try await program.run("profile", "store", "show", "--json").json
        == ["profile": "work", "place": "files", "unfinished": "helper:none"])
    // Until the move goes on, the profile is used as it was.
    #expect(try await program.run("token").output == "u1\n")
    try program.folder.write(#"{"place":"nowhere","version":2}"#, to: place, mode: 0o600)
    let damaged = try await program.run("token")
    #expect(damaged.status == .status(.configuration))
    #expect(damaged.errors.contains("'place' or 'id' is missing or invalid"))
  }
}
