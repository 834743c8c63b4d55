import AppConfigurations
import CoreTestSupport

@testable import Commands

@Suite("profile add")
struct ProfileAddTests {
  @Test("with --preset prints commands that parse", arguments: ProfilePreset.all)
  func presetCommands(preset: ProfilePreset) {
    let words = preset.registering.flatMap { "--\($0)".split(separator: " ").map(String.init) }
    #expect(usageError(["register"] + words) == nil)
  }

  @Test("ends with the usage error if nothing is typed")
  func nothingTyped() async throws {
    let program = try TestProgram()
    program.terminal.connect(.input, .errors)
    program.terminal.fail(.endOfInput)
    let run = try await program.run("profile", "add", "lab")
    expect(run, .usage, errors: "sdkctl: error: --issuer is missing\n")
  }
}
