import AppConfigurations
import Arguments
import JSON
import POSIX
import Pinning
import Primitives
import SDKCore
import SharedStore

enum ProfileAdd: Command {
  static let page = CommandInfo(
    name: "add", summary: "Create a profile",
    description: """
      Creates a profile for one application at one provider: `sdkctl profile add work --issuer \
      https://id.test --resource-url https://api.test --pin`. `--issuer` is the URL of the \
      authorization server; {fetch} appends its paths to `--resource-url`. On a terminal, the \
      command asks for what is missing. The first profile becomes the current one.

      Without `--issuer`, the resource server is asked for its authorization server (RFC 9728), and \
      what it names is shown and asked for. A profile without an issuer is for pins and for requests without \
      a token; {profile set} gives it one later.

      A profile enforces pins: nothing is sent to a host that has no pins. `--pin` shows the \
      certificate chains of all hosts that the profile needs, asks once and pins them: the issuer, the \
      resource server, and the hosts that the metadata of the issuer names. It pins leaf keys, with \
      `--role` others; the presets of providers that often replace theirs pin roots. See {pins}.

      `--preset` starts with the settings of a known provider; the other options override them, \
      and {profile set} changes them later. It says what must be registered at the provider by hand, \
      and which two commands follow. The presets are \
      \(ProfilePreset.all.map { "`\($0.name)`" }.joined(separator: ", ")).

      `--store helper:NAME` keeps the secrets of the profile in a credential helper from the start, as \
      {profile store move} does later. If the helper cannot be used, no profile is created.

      Plain http is refused. `--insecure-loopback` allows it to this machine (127.0.0.1, ::1, \
      localhost), for a server that a developer runs.
      """,
    examples: [
      (
        "sdkctl profile add work --issuer https://id.test --resource-url https://api.test",
        "Create a profile"
      ),
      (
        "sdkctl profile add lab --issuer https://id.test --resource-url https://api.test --pin",
        "Create one, and pin its hosts"
      ),
      ("sdkctl profile add fleet", "Create one for pins alone"),
      ("sdkctl profile add mail --preset google --pin", "Create one for a known provider"),
      (
        "sdkctl profile add mail --preset google --store helper:pass",
        "Keep its secrets in the password store"
      ),
    ],
    exitCodes: [14],
    seeAlso: ["pin add", "register", "profile store move", "profiles"],
    output: Profile.changes.document, needs: [.network, .terminal])

  struct Arguments: CommandArguments {
    var name = ""
    var place: StorePlace?
    var store = StoreConnectionArguments()
    var preset: ProfilePreset?
    var issuer: String?
    var resourceURL: String?
    var clientID: String?
    var scope: String?
    var caFile: String?
    var insecureLoopback = false
    var pin = false
    var roles: [PinRole] = []
    var yes = false
    var consent = SettingConsent()
  }

  static let options: [Option<Arguments>] =
    [
      .value("preset", "PROVIDER", \.preset, "Start with the settings of a known provider") {
        (text) throws(ValueError) in
        guard let preset = ProfilePreset.named(text) else {
          let names = ProfilePreset.all.map(\.name).joined(separator: ", ")
          throw ValueError("no preset of that name; there is \(names)")
        }
        return preset
      }
      .completing(.choices(ProfilePreset.all.map(\.name))),
      .value("issuer", "URL", \.issuer, "Set the URL of the authorization server"),
      .value("resource-url", "URL", \.resourceURL, "Set the URL that fetch appends paths to"),
      .value("client-id", "ID", \.clientID, "Use a public client that exists"),
      .value("scope", "SCOPE", \.scope, "Set the scope that login asks for"),
      .flag("pin", \.pin, "Pin the keys of all hosts that the profile needs"),
      .choices("role", "ROLE", \.roles, "Pin these with --pin: leaf, intermediate or root"),
      .yes(\.yes, "Take the found issuer, and pin, without asking"),
      .value("store", "PLACE", \.place, "Keep secrets in files, helper:NAME or etcd:ADDRESS")
        .more(
          """
          With `etcd:https://HOST:PORT/PREFIX`, settings, pins, registration and login are those that another \
          machine has put there with {profile store move}; `--store-key-file` names its key, and no other \
          setting can be given. They are shown, and those with `!` need consent as in {profile import}.
          """),
    ]
    + .group(
      .connection,
      [
        .value("ca-file", "FILE", \.caFile, "Trust the authorities of this PEM file only")
          .completing(.file),
        .flag("insecure-loopback", \.insecureLoopback, "Allow http:// to this machine"),
      ])
    + .group(.sharedStore, SettingConsent.options.of(\.consent))
    + StoreConnectionArguments.options.of(\.store)

  static let operands: [Operand<Arguments>] = [.one("NAME", \.name, "The profile's name")]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try requireAbsent(arguments, context)
    if case .shared(let address) = arguments.place {
      return try await join(try SharedAddress(address), arguments, context)
    }
    let arguments = try await completed(arguments, context)
    let profile = try profile(arguments, context)
    try await make(profile, arguments, context)
    try report(profile, arguments, context)
  }

  // The parts are not inlined: the optimiser of Swift 6.3.1 crashes if they are one function.

  /// The arguments with what a person was asked for.
  @inline(never)
  private static func completed(
    _ given: Arguments, _ context: Context
  ) async throws -> Arguments {
    var arguments = given
    if arguments.issuer == nil, arguments.preset == nil, let url = arguments.resourceURL {
      arguments.issuer = try await found(url, arguments, context)
    }
    if arguments.preset?["issuer"] == nil, arguments.issuer == nil {
      arguments.issuer = try await asked(
        \.issuer, "--issuer", "Issuer URL", arguments.preset?.issuerForm, arguments, context)
    }
    if arguments.preset?["resourceURL"] == nil, arguments.resourceURL == nil {
      arguments.resourceURL = try await asked(
        \.resourceURL, "--resource-url", "Resource URL", nil, arguments, context)
    }
    return arguments
  }

  /// Adds the profile, moves its secrets and pins its hosts; what fails makes nothing.
  @inline(never)
  private static func make(
    _ profile: Profile, _ arguments: Arguments, _ context: Context
  ) async throws {
    let store = try context.store()
    try await store.add(profile)
    guard let error = await failure(ofFilling: profile.name, in: store, arguments, context)
    else { return }
    await remove(profile.name, from: store)
    throw error
  }

  @inline(never)
  private static func failure(
    ofFilling name: ProfileName, in store: ProfileStore, _ arguments: Arguments, _ context: Context
  ) async -> (any Error)? {
    do {
      if let place = arguments.place { _ = try await store.move(secretsOf: name, to: place) }
      if arguments.pin { try await pin(arguments, context) }
      return nil
    } catch {
      return error
    }
  }

  @inline(never)
  private static func remove(_ name: ProfileName, from store: ProfileStore) async {
    _ = try? await store.remove(name)
  }

  @inline(never)
  private static func report(
    _ profile: Profile, _ arguments: Arguments, _ context: Context
  ) throws {
    context.note("created the profile '\(profile.name)'")
    if profile.issuer == nil {
      context.note("it has no issuer: it is for pins and for requests without a token")
    }
    if let current = try context.store().current(), current != profile.name {
      context.note(
        "'\(current)' stays current; `\(ShellWord.sdkctl("profile", "use", profile.name))` changes that"
      )
    }
    if let preset = arguments.preset {
      noteNext(preset, profile.name, context)
    } else {
      let isOpen = profile.issuer == nil && profile["resourceURL"] == nil
      var verbs = arguments.pin ? [] : [isOpen ? "pin add HOST" : "pin add"]
      if profile.issuer != nil {
        verbs += (arguments.clientID == nil ? ["register"] : []) + ["login"]
      }
      let lines = verbs.map { "`\(ShellWord.sdkctl(of: profile.name)) \($0)`" }
      if !lines.isEmpty { context.note("next: \(lines.joined(separator: ", "))") }
    }
    context.report((profile, Array(profile.members.keys)), Profile.changes)
  }

  @inline(never)
  private static func pin(_ arguments: Arguments, _ context: Context) async throws {
    let roles = arguments.roles.isEmpty ? [arguments.preset?.pinRole ?? .leaf] : arguments.roles
    let context = context.with(profile: arguments.name)
    var review = PinReview(
      try context.session(), context: context, isAgreed: arguments.yes, roles: roles)
    // The profile, which is not made, cannot be set.
    var complete = arguments
    complete.caFile = "/PATH/TO/CA.pem"
    review.authorityHint = again(complete)
    try await review.pinProfile()
  }

  @inline(never)
  private static func profile(
    _ arguments: Arguments, _ context: Context
  ) throws -> Profile {
    do {
      var profile = try Profile(
        name: try ProfileName(arguments.name), settings: .ofProgram)
      for (key, value) in try arguments.preset?.members() ?? [] {
        try profile.set(key, to: value)
      }
      for (key, value) in settings(arguments) {
        guard let value, let row = SettingTable.ofProgram.named(key) else { continue }
        try profile.set(key, to: try row.typed(value))
      }
      try profile.check()
      return profile
    } catch let error as SDKError {
      // What was typed is no URL.
      let isUsage = ["issuer", "resourceURL"].contains { sameIdentifier($0, error.subject) }
      var failure = isUsage ? Failure.usage(error.message) : Failure(error)
      if error.subject == "insecureLoopback" {
        failure.hints = [again(arguments, with: ["--insecure-loopback"])]
      }
      throw failure
    }
  }

  /// The command line again, with the option that it lacks.
  private static func again(_ arguments: Arguments, with option: [String] = []) -> String {
    let options: [(String, String?)] = [
      ("preset", arguments.preset?.name), ("issuer", arguments.issuer),
      ("resource-url", arguments.resourceURL), ("client-id", arguments.clientID),
      ("scope", arguments.scope), ("ca-file", arguments.caFile),
    ]
    let words = options.flatMap { name, value in value.map { ["--\(name)", $0] } ?? [] }
    let roles = arguments.roles.map { "--role=\($0.rawValue)" }
    let flags = (arguments.pin ? ["--pin"] : []) + roles + (arguments.yes ? ["--yes"] : [])
    return ShellWord.line(
      ["sdkctl", "profile", "add", arguments.name] + words + flags + option)
  }

  /// A URL that a person types, until the profile can have it; `nil` for none, if no preset needs it.
  private static func asked(
    _ value: WritableKeyPath<Arguments, String?>, _ option: String, _ prompt: String,
    _ form: String?, _ arguments: Arguments, _ context: Context
  ) async throws -> String? {
    let missing = Failure.usage("\(option) is missing\(form.map { " (\($0))" } ?? "")")
    let isNeeded = arguments.preset != nil
    guard context.isInteractive, isNeeded || !arguments.yes else {
      if isNeeded { throw missing }
      return nil
    }
    // A program that answers in place of a person may give the same answer again.
    for _ in 1...3 {
      let line = "\(prompt) (\(form ?? "empty for none")): "
      guard let answer = try? await context.terminal.readLine(line) else { throw missing }
      if answer.isEmpty {
        if isNeeded { throw missing }
        return nil
      }
      var answered = arguments
      answered[keyPath: value] = answer
      do {
        _ = try profile(answered, context)
        return answer
      } catch {
        context.errors.write(context.warnings.text(of: context.failure(error)))
      }
    }
    throw missing
  }

  /// Shows what to do at the provider, and the two commands to run then.
  private static func noteNext(_ preset: ProfilePreset, _ name: ProfileName, _ context: Context) {
    guard let registration = preset.registration else { return }
    context.note("at the provider, \(registration)")
    context.note("then:")
    let options = preset.registering.map { " --\($0)" }.joined()
    context.note("  \(ShellWord.sdkctl(of: name, "register"))\(options)")
    context.note("  \(ShellWord.sdkctl(of: name, "login"))")
  }
}
