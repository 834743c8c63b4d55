import Arguments
import JSON
import SDKCore

/// `sdkctl profile show` -- show the settings and the state of a profile.
enum ProfileShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Show the settings and the state of a profile",
    description: """
      Prints the settings of a profile, one `KEY=VALUE` per line, as {profile set} takes them. On \
      standard error it prints what chose the profile, whether it is registered, logged in and \
      pinned, and where each secret is and how it is protected. It prints no secrets.

      With `--sources` each line also has the source, after a tab: `profile`, `site` (a profile in \
      `/etc/sdkctl`), `environment` (a variable that applies without the setting), or `default`.
      """,
    examples: [
      ("sdkctl profile show work", "Show a profile"),
      ("sdkctl profile show --sources", "Show the defaults too, and where each value is from"),
      ("sdkctl profile show --json | jq -r .issuer", "Use a setting in a script"),
    ], seeAlso: ["profile set"],
    json: """
      The settings by key, and `state`: an object with `registered`, `clientID`, `certificate` \
      (null or an object with `subject` and `expires`), `userID`, `userName` (or null), `user`, `implicit`, `anonymous` (each null \
      or an object with `expires`, `scope`, `refreshable` and `sealed`, and the members of {token} `--json` \
      about its use), `dpopKey` (the thumbprint of the key that tokens are bound to, or null), \
      `pinnedHosts`, `unenforcedHosts` (those of them whose policy is `report`), `authorities` (the file or directory of the trusted authorities, or null for \
      libcurl's own) and `files`. Also `chosenBy` (`flag`, `environment`, `directory` or \
      `current`) and `chosenByFile` (or null), `secrets`, an array of objects with `kind`, `file` and \
      `protection` (`permissions`, `sealed`, `passcodeSealed`, `sealedRefreshToken`, `securityToken`, `helper` or `unknown`), and with `--sources` \
      `sources`: by key an object with `value` and `source`.
      """)

  struct Arguments: CommandArguments {
    var name: String?
    var sources = false
  }

  static let options: [Option<Arguments>] = [
    .flag("sources", \.sources, "Print defaults too, and the source of each value")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.name, "The profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let context = context.with(profile: try context.named(arguments.name))
    let choice = try context.profileChoice()
    let session = try context.session()
    let state = try await ProfileState(session)
    let secrets = try await session.secrets()
    let values = SettingSource.values(of: session, context)
    if context.globals.json {
      var document = JSON.object(session.profile.members)
      document["name"] = .string(session.profile.name.description)
      document["state"] = state.json
      document["chosenBy"] = .string(choice.source.word)
      document["chosenByFile"] = JSON(choice.source.file)
      document["secrets"] = .array(secrets.map(\.json))
      if arguments.sources {
        document["sources"] = .members(
          Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.json) }))
      }
      context.print(document)
      return
    }
    for value in values where arguments.sources || value.isSet {
      context.print(
        fields: ["\(value.key)=\(value.text)"] + (arguments.sources ? [value.source] : []))
    }
    context.note("'\(session.profile.name)' is \(choice.source.phrase)")
    for line in state.lines(at: context.now()) { context.note(line) }
    for secret in secrets { context.note(secret.line) }
  }
}

/// A setting as it applies, and where its value is from.
private struct SettingSource {
  let key: String
  let text: String
  let source: String

  /// Whether a file of the profile has it.
  var isSet: Bool { ["profile", "site"].contains(source) }

  var json: JSON { ["value": .string(text), "source": .string(source)] }

  static func values(of session: ProfileSession, _ context: Context) -> [SettingSource] {
    let store = try? context.store()
    let file = store?.isOfSite(session.profile.name) == true ? "site" : "profile"
    return ProfileKey.all.compactMap { key in
      if let value = session.profile[key.name] {
        return SettingSource(key: key.name, text: key.text(of: value), source: file)
      }
      if key.name == "caFile", let path = context.environment.caFile {
        return SettingSource(key: key.name, text: path, source: "environment")
      }
      return key.defaultText.map {
        SettingSource(key: key.name, text: $0, source: "default")
      }
    }
  }
}

extension StoredSecretFile {
  fileprivate var json: JSON {
    [
      "kind": .string(kind.rawValue), "file": .string(path),
      "protection": .string(protection.rawValue),
    ]
  }

  fileprivate var line: String {
    let how =
      switch protection {
      case .permissions: "not encrypted; only you can read it"
      case .sealed: "encrypted under a passphrase or passcode"
      case .passcodeSealed: "encrypted under the passcode of the profile"
      case .sealedRefreshToken:
        "the refresh token is encrypted under a passcode; only you can read it"
      case .helper: "kept by the helper program"
      case .sharedStore: "in the shared store, encrypted"
      case .securityToken: "the key is in a security token"
      case .unknown: "cannot be read"
      }
    return "secret (\(kind.rawValue)): \(path), \(how)"
  }
}
