import TestSupport

@testable import Commands
@testable import SDKCore

@Suite("The settings of the program")
struct SettingTableTests {
  @Test("each have a heading of at most 14 keys, and an example that can be set")
  func examples() throws {
    for section in SettingTable.ofProgram.sections {
      #expect((1...14).contains(section.keys.count), "\(section.title)")
      #expect(section.title.first?.isUppercase == true)
      for key in section.keys {
        let value = try key.value(from: key.example)
        #expect(key.text(of: value) == key.example, "\(key.name)")
        #expect(key.example != key.defaultText || key.name.hasSuffix("Path"), "\(key.name)")
      }
    }
  }

  @Test("have one name each, and are those of all modules")
  func names() {
    let names = SettingTable.ofProgram.keys.map(\.name)
    #expect(names.count == 126 && Set(names).count == names.count)
    #expect(
      SettingTable.ofProgram.named("reauthenticate")?.words == ["refresh", "form", "fido", "none"])
  }

  @Test("of modules have parts that keep a profile from being opened without the module")
  func parts() {
    func section(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    let core = Set(SettingTable.core.keys.map(\.name))
    let ofModules = SettingTable.ofProgram.keys.map(\.name).filter { !core.contains($0) }
    for part in SettingTable.moduleSettings {
      #expect(ofModules.contains { $0 == part || $0.hasPrefix("\(part).") }, "\(part)")
    }
    // Without `identity.obtain`, the other settings of its section mean nothing.
    #expect(Set(ofModules.map(section)) == Set(SettingTable.moduleSettings.map(section)))
  }
}
