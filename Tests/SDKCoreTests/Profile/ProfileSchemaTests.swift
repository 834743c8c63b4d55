import CoreTestSupport

@testable import SDKCore

@Suite("The schema of settings")
struct ProfileSchemaTests {
  private static func schema(_ name: String) -> JSON? {
    let path = name.split(separator: ".", maxSplits: 1).map(String.init)
    return path.reduce(SettingTable.core.schema as JSON?) { $0?["properties"]?[$1] }
  }

  @Test(
    "has every key of the table, with its summary", arguments: SettingTable.core.keys.map(\.name))
  func key(name: String) throws {
    let schema = try #require(Self.schema(name))
    #expect(schema["description"]?.string == SettingTable.core.named(name)?.summary)
    #expect(schema["type"] != nil || schema["enum"] != nil)
  }

  @Test(
    "says what a value must be",
    arguments: [
      ("pkce", "type", "boolean"), ("redirectPort", "maximum", 65535), ("caFile", "pattern", "^/"),
      ("pinPolicy", "enum", ["enforce", "report"]), ("allowedHosts", "type", "array"),
      ("seal.passcodeMinimumLength", "minimum", 1), ("idleTimeout", "type", "integer"),
      ("issuer", "pattern", "^https?://"), ("scope", "type", "string"),
    ] as [(String, String, JSON)])
  func type(name: String, word: String, value: JSON) {
    #expect(Self.schema(name)?[word] == value)
  }
}
