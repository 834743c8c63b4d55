import Arguments
import JSON
import Primitives
import SDKCore

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
    output: Profile.changes.document)

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
    context.report((profile, arguments.settings.map(\.key)), Profile.changes)
  }
}

extension Profile {
  static let changes = Rows<(profile: Profile, keys: [String])>(
    .member("profile", "the profile") { $0.profile.name.description },
    .member("settings", "the new values by key; null of one that was removed") { change in
      JSON.members(Dictionary(change.keys.map { ($0, change.profile[$0]) }) { $1 })
    })
}

extension ProfileKey {
  /// The value of a text that a person typed: a relative path starts in the current directory, and the file of
  /// the authorities must have some.
  func typed(_ text: String) throws -> JSON {
    guard !text.isEmpty else {
      do {
        return try value(from: text)
      } catch {
        var failure = Failure(error)
        failure.hints = [ShellWord.sdkctl("profile", "unset", name)]
        throw failure
      }
    }
    guard isPath else { return try value(from: text) }
    let path = try Failure.absolutePath(text)
    if ["caFile", "extraCAFile"].contains(name) { try TrustedAuthorities.require(in: path) }
    return try value(from: path)
  }
}

extension Context {
  /// Warns of changed settings of which the server knows the former values, from the registration.
  private func warn(ofUnregistered changed: [String], of profile: Profile) async {
    guard changed.contains(where: { profile.settings.named($0)?.isRegistered == true }),
      let registration = try? await session().registration.usable()
    else { return }
    let lacking = registration.settingsLacking(from: profile).filter(changed.contains)
    guard !lacking.isEmpty else { return }
    warning(
      "the registration was made without this value of \(lacking.joined(separator: " and "))",
      hint: Remedy.registerAnew.commandLine(for: profile.name))
  }

  /// Changes the selected profile and writes it, if the change is valid; returns it.
  @discardableResult
  func changeProfile(
    _ change: (inout Profile) throws(SDKError) -> Void
  ) async throws -> Profile {
    let name = try profileName()
    let store = try store()
    do {
      // Without its values if one cannot be used, which the change may mend.
      let old = try? store.profile(name)
      try await store.change(name, change)
      let new = try store.profile(name)
      await warn(ofUnregistered: old?.changes(to: new).map(\.key) ?? [], of: new)
      return new
    } catch {
      var failure = Failure(error, profile: name)
      if let subject = error.subject, store.settings.named(subject) == nil, failure.hints.isEmpty {
        let near = Suggestion.nearest(to: subject, among: store.settings.keys.map(\.name))
        failure.hints = [
          near.map { "did you mean '\($0)'? see 'sdkctl help profiles'" } ?? "sdkctl help profiles"
        ]
      }
      throw failure
    }
  }
}
