import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile remove")
struct ProfileRemoveTests {
  @Test("removes the tokens too, after consent")
  func remove() async throws {
    let program = try await TestProgram.withOther()
    try await program.store("u1")
    expect(
      try await program.run("profile", "remove", "work", "--yes"), .success,
      errors: "sdkctl: still valid at the server: the tokens of the slot user\n")
    #expect(try program.store.names().map(\.description) == ["other"])
    #expect(try await program.stored() == nil)
  }

  @Test("asks on a terminal, and does nothing without consent")
  func asking() async throws {
    let program = try await TestProgram.withOther()
    expect(
      try await program.run("profile", "remove", "work"), .usage,
      errors: """
        sdkctl: error: could not ask for consent: there is no terminal; --yes agrees

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
}
