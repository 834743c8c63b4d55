import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("pin remove")
struct PinRemoveTests {
  private static func pins(_ program: TestProgram) throws -> [String: [String]] {
    let sets = try program.pinSets()
    return Dictionary(
      uniqueKeysWithValues: sets.map { ($0.host, $0.keys.map(\.pin.description)) })
  }

  @Test(
    "fails with 8 for a host or a pin that is not there, and changes nothing",
    arguments: [["x.test"], ["**.api.test", "\(TestChain.pin("z"))"], ["x.api.test"]])
  func missing(words: [String]) async throws {
    let program = try await PinListTests.program()
    let before = try Self.pins(program)
    let wanted =
      words.count == 1 ? "pins for \(words[0])" : "the pin \(words[1]) of **.api.test"
    expect(
      try await program.run(["pin", "remove"] + words + ["--yes"]), .pin,
      errors: """
        sdkctl: error: could not find \(wanted)
        sdkctl: hint: sdkctl -p work pin list

        """)
    #expect(try Self.pins(program) == before)
  }

  @Test("leaves a wider set that was not named, and says which one there is")
  func wider() async throws {
    let program = try await PinListTests.program()
    let before = try program.pinSets()
    for words in [["remove", "api.test", "--yes"], ["set", "api.test", "--policy", "report"]] {
      expect(
        try await program.run(["pin"] + words), .pin,
        errors: """
          sdkctl: error: could not find pins for api.test
            only '**.api.test' has pins
          sdkctl: hint: sdkctl -p work pin list

          """)
    }
    #expect(try program.pinSets() == before)
    _ = try await program.run("pin", "add", "\(TestChain.pin("n"))", "--host", "api.test:8443")
    expect(
      try await program.run("pin", "remove", "api.test:8443", "--yes", "-q"), .success)
    #expect(try program.pinSets() == before)
  }

  @Test("asks on a terminal, and needs --yes elsewhere")
  func asks() async throws {
    let program = try await PinListTests.program()
    let before = try Self.pins(program)
    #expect(try await program.run("pin", "remove", "**.api.test").status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n")
    #expect(try await program.run("pin", "remove", "**.api.test").status == .status(.declined))
    #expect(try Self.pins(program) == before)
    #expect(program.terminal.prompts == ["Remove all pins of **.api.test?"])
  }
}
