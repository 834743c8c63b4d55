import Arguments
import HTTP
import JSON
import Pinning
import Primitives
import SDKCore

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
    output: OutputDoc(
      .document, ProfileView.rows.members.map(\.doc), others: "Each setting is a member too."))

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
    var choice = try context.profileChoice()
    if arguments.name != nil { choice.source = .operand }
    let session: ProfileSession
    do { session = try context.session() } catch {
      if !context.globals.json { printUnchecked(choice.name, context) }
      throw error
    }
    let view = ProfileView(
      choice: choice, session: session, state: try await ProfileState(session, at: context.now()),
      secrets: try await session.secrets(),
      values: SettingSource.values(of: session.profile, context),
      showsSources: arguments.sources)
    if context.globals.json {
      let settings = session.profile.members
      return context.print(
        .object(settings.merging(ProfileView.rows.json(view).object ?? [:]) { $1 }))
    }
    for value in view.values where arguments.sources || value.isSet {
      context.print(
        fields: ["\(value.key)=\(value.text)"] + (arguments.sources ? [value.source] : []))
    }
    context.note("'\(session.profile.name)' is \(choice.source.phrase)")
    for line in view.state.lines(context) { context.note(line) }
    for secret in view.secrets { context.note(secret.line) }
  }

  /// Prints the settings of a profile that cannot be used because of one of them.
  private static func printUnchecked(_ name: ProfileName, _ context: Context) {
    guard let store = try? context.store(), (try? store.profile(name)) == nil,
      let profile = try? store.uncheckedProfile(name)
    else { return }
    for value in SettingSource.values(of: profile, context) where value.isSet {
      context.print(fields: ["\(value.key)=\(value.text)"])
    }
  }
}

/// What is printed of a profile besides its settings, which are members of their own.
private struct ProfileView {
  let choice: ProfileChoice
  let session: ProfileSession
  let state: ProfileState
  let secrets: [StoredSecretFile]
  let values: [SettingSource]
  let showsSources: Bool

  static let rows = Rows<ProfileView>(
    .member("name", "the name") {
      $0.session.profile.name.description
    },
    .object("state", "what it has become", isOptional: false, ProfileState.rows) { $0.state },
    .member("chosenBy", "`operand`, `flag`, `environment`, `directory` or `current`") {
      $0.choice.source.word
    },
    .member("chosenByFile", "the file that names it") { $0.choice.source.file },
    .list("secrets", "where its secrets are", StoredSecretFile.rows) { $0.secrets },
    .member("sources", "with `--sources`, by key an object with `value` and `source`") { view in
      view.showsSources
        ? JSON.members(Dictionary(uniqueKeysWithValues: view.values.map { ($0.key, $0.json) }))
        : nil
    })
}

/// A setting as it applies, and where its value is from.
private struct SettingSource {
  let key: String
  let text: String
  let source: String

  var isSet: Bool { ["profile", "site"].contains(source) }

  var json: JSON { ["value": .string(text), "source": .string(source)] }

  static func values(of profile: Profile, _ context: Context) -> [SettingSource] {
    let store = try? context.store()
    let file = store?.isOfSite(profile.name) == true ? "site" : "profile"
    return profile.settings.keys.compactMap { key in
      if let value = profile[key.name] {
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
  fileprivate static let rows = Rows<StoredSecretFile>(
    .member("kind", "what it is") { $0.kind.rawValue },
    .member("file", "the file") { $0.path },
    .member(
      "protection",
      "`permissions`, `sealed`, `passcodeSealed`, `sealedRefreshToken`, `securityToken`, `helper`, "
        + "`sharedStore` or `unknown`"
    ) { $0.protection.rawValue })

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

/// What a profile has become: registered, logged in, pinned.
struct ProfileState {
  let registration: Registration?
  let login: LoginState
  /// The thumbprint of the key that tokens are bound to.
  let dpopKey: String?
  let pinSets: [PinSet]
  /// The policy of the profile: of hosts without pins, and of sets that do not have their own.
  let pinPolicy: PinPolicy
  let directories: [String]
  /// The file or directory of the trusted authorities.
  let authorities: String?

  init(_ session: ProfileSession, at now: Timestamp) async throws(SDKError) {
    registration = try await session.registration.usable()
    let slots = await session.tokens.inventory()
    // Who is told how secrets are protected must not be told so of a file that cannot be trusted.
    if let error = slots.lazy.compactMap(\.error).first { throw error }
    login = LoginState(
      session.profile.name, session.userID, isCurrent: try session.currentUser() == session.userID,
      isRegistered: registration != nil, slots, at: now)
    dpopKey = try await session.tokens.dpopThumbprint()
    pinSets = session.pins.sets
    pinPolicy = session.profile.pinPolicy
    directories = session.directories
    authorities = session.authorities
  }

  static let rows = Rows<ProfileState>(
    LoginState.rows.of { $0.login } + [
      .member("clientID", "the client") { $0.registration?.clientID },
      .object("certificate", "the certificate of the client", ClientCertificateChain.rows) {
        $0.registration?.certificate
      },
      .member("dpopKey", "the thumbprint of the key that tokens are bound to") { $0.dpopKey },
      .member("pinnedHosts", "the hosts with pins") { $0.pinSets.map(\.pattern.description) },
      .member("unenforcedHosts", "those of them whose policy is `report`") {
        $0.unenforced.map(\.pattern.description)
      },
      .member("authorities", "the file or directory of the trusted authorities") {
        $0.authorities
      },
      .member("files", "the directories of the profile") { $0.directories },
    ])

  func lines(_ context: Context) -> [String] {
    let client = registration.map { "registered as \($0.clientID)" } ?? "not registered"
    let hosts = pinSets.map { set in
      "\(set.pattern)\(unenforced.contains(set) ? " (not enforced)" : "")"
    }
    let pins = hosts.isEmpty ? "no host is pinned" : "pinned: \(hosts.joined(separator: ", "))"
    let warnings =
      pinPolicy == .enforce
      ? [] : ["warning: pinPolicy=report: tokens are sent to servers without a pinned key"]
    let keys = [
      registration?.certificate.map { "client certificate \($0.line(context))" },
      dpopKey.map { "DPoP key: \($0)" },
    ]
    let slots = CredentialSlot.allCases.map { slot in
      "\(slot.rawValue)\(slot == .user ? userLabel : ""): \(login[slot]?.words(local: context.localTime) ?? "no token")"
    }
    return [client] + keys.compactMap { $0 } + slots + [pins] + warnings + [
      "trusted authorities: \(authorities ?? "those of libcurl")"
    ]
  }

  /// The sets whose mismatches are only reported.
  private var unenforced: [PinSet] { pinSets.filter { ($0.policy ?? pinPolicy) == .report } }

  private var userLabel: String {
    let id = login.userID == .standard ? "" : " '\(login.userID)'"
    return id + (login[.user]?.userName.map { " (\($0))" } ?? "")
  }
}
