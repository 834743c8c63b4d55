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
}
