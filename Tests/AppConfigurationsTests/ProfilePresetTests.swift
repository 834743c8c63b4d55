import CoreTestSupport

@testable import AppConfigurations
@testable import SDKCore

@Suite("Profile presets")
struct ProfilePresetTests {
  @Test("set only keys that exist, to valid values", arguments: ProfilePreset.all)
  func valid(preset: ProfilePreset) throws {
    let members = try preset.members()
    #expect(members.map(\.key) == preset.settings.map(\.key))
    var profile = try Profile(name: try ProfileName("p"))
    for (key, value) in members { try profile.set(key, to: value) }
    #expect(try Profile(name: profile.name, members: profile.members) == profile)
    #expect((profile.issuer == nil) == (preset.issuerForm != nil))
    #expect(preset.issuerForm == nil || preset.registration != nil)
    #expect((preset.registration == nil) == preset.registering.isEmpty)
    #expect(ProfilePreset.named(preset.name)?.settings.count == preset.settings.count)
  }
}
