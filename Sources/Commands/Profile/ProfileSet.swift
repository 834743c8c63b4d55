import Arguments
import JSON
import SDKCore

/// `sdkctl profile set` -- change settings of a profile.
enum ProfileSet: Command {
  static let page = CommandInfo(
    name: "set", summary: "Change settings of a profile",
    description: """
      Sets values in the profile: `sdkctl profile set scope='openid profile'`. All values are \
      checked before the profile is written. The topic {profiles} explains the keys.
      """,
    examples: [
      ("sdkctl profile set scope='openid profile'", "Change the scope that login asks for"),
      ("sdkctl profile set endpoints.token=https://id.example.com/token", "Set an endpoint"),
    ], seeAlso: ["profiles", "sdkctl-profile(5)"],
    json: "An object with `profile` and `settings`, the values that were set, by key.")

  struct Arguments: CommandArguments {
    var settings: [Setting] = []
  }

  struct Setting: Sendable, ArgumentValue {
    let key: String
    let value: String

    static func reading(_ text: String) throws(ValueError) -> Setting {
      guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex
      else {
        throw ValueError("expected KEY=VALUE")
      }
      return Setting(
        key: String(text[..<equals]), value: String(text.unicodeScalars[equals...].dropFirst()))
    }
  }

  static let operands: [Operand<Arguments>] = [
    .some("KEY=VALUE", \.settings, "A key and its value").completing(.dynamic("profile-settings"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let values = try arguments.settings.map {
      ($0.key, try SettingTable.ofProgram.named($0.key)?.typed($0.value) ?? .string($0.value))
    }
    let profile = try await context.changeProfile { (profile) throws(SDKError) in
      for (key, value) in values { try profile.set(key, to: value) }
    }
    guard context.globals.json else { return }
    let keys = arguments.settings.map(\.key)
    context.print([
      "profile": .string(profile.name.description),
      "settings": .members(Dictionary(keys.map { ($0, profile[$0]) }) { $1 }),
    ])
  }
}
