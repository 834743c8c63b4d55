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

  @Test("know Sequencing.com as its library for iOS does")
  func sequencing() throws {
    let preset = try #require(ProfilePreset.named("sequencing"))
    let expected = [
      "issuer": "https://sequencing.com", "resourceURL": "https://api.sequencing.com",
      "discovery": "false", "pkce": "false", "authorizationParameters": "mobile=1",
      "basicEncoding": "raw", "expiryMargin": "600", "accountClient": "secret",
      "endpoints.authorization": "https://sequencing.com/oauth2/authorize",
      "endpoints.token": "https://sequencing.com/oauth2/token",
      "endpoints.refresh": "https://sequencing.com/oauth2/token?q=oauth2/token",
      "endpoints.account":
        "https://sequencing.com/indexApi.php?q=sequencing/public/webservice/user/seq_register.json",
      "endpoints.passwordReset":
        "https://sequencing.com/indexApi.php?q=sequencing/public/webservice/user/seq_new_pass.json",
    ]
    #expect(
      Dictionary(uniqueKeysWithValues: preset.settings.map { ($0.key, $0.value) }) == expected)
    #expect(preset["expiryMargin"] == "600")
    #expect(preset["scope"] == nil)
  }

  @Test("with another name do not exist")
  func unknown() { #expect(ProfilePreset.named("Sequencing") == nil) }
}
