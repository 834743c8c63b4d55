import Arguments
import HTTP
import JSON
import Pinning
import SDKCore

/// `sdkctl profile import` -- take settings from the configuration of an app.
enum ProfileImport: Command {
  static let page = CommandInfo(
    name: "import", summary: "Take settings from the configuration of an app",
    description: """
      Reads the configuration of an app, and sets what it says in the profile: `sdkctl profile \
      import config.json`. The file is JSON or an XML property list, of one of these kinds; other \
      keys are left out.

      Nevis: the settings of the Mobile Authentication SDK, `baseUrl` or `hostName` with paths, \
      numbers and times, in an object `sdk` or by themselves. They become `fido.*`, and the \
      `loginRequestURL` of the example apps becomes `form.*`.

      SAP: certificate discovery, keys that begin with \
      `com.sap.mobilesecure.certificateService.`. \
      The endpoints and the client of its login become a profile of their own, `NAME-certificates`, \
      because no secret of this profile's login may be sent there; `identity.profile` names it, and \
      {login} logs in to it. The keys of `publicKeyPinSet` are pinned for the hosts of the service.

      The command shows what it will set, with the present values, and asks; without a terminal it \
      needs `--yes`. Pins that would protect a host less than before are asked for by themselves, or \
      need `--allow-weaker`; see {pin import}.
      """,
    examples: [("sdkctl profile import config.json", "Use the configuration of an app")],
    exitCodes: [2, 3, 15], seeAlso: ["profile set", "identity obtain"], needs: .terminal)

  struct Arguments: CommandArguments {
    var file = ""
    var allowWeaker = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("allow-weaker", nil, \.allowWeaker, "Agree to pins that protect less"),
    .flag("yes", "y", \.yes, "Import without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("FILE", \.file, "JSON or an XML property list, - for standard input").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let bytes = try context.read(arguments.file, "the configuration")
    switch try AppConfiguration(reading: bytes) {
    case .sap(let configuration): try await set(configuration, arguments, session, context)
    case .nevis(let configuration):
      context.show(
        configuration.settings.map { setting(session.profile, $0, $1) }, isAgreed: arguments.yes)
      try await set(configuration.settings, arguments, session, context)
      for note in configuration.notes { context.note(note) }
    }
  }

  /// Sets what a person agrees to.
  private static func set(
    _ settings: [(key: String, value: String)], _ arguments: Arguments, _ session: ProfileSession,
    _ context: Context, before: () async throws -> Void = {}
  ) async throws {
    try await context.confirm(
      "Set this in the profile '\(session.profile.name)'?", isAgreed: arguments.yes)
    try await before()
    try await context.changeProfile { (profile) throws(SDKError) in
      for (key, text) in settings {
        try profile.set(key, to: try ProfileKey.named(key)?.value(from: text))
      }
    }
  }

  private static func set(
    _ configuration: SAPConfiguration, _ arguments: Arguments, _ session: ProfileSession,
    _ context: Context
  ) async throws {
    let login = try SAPConfiguration.loginName(of: session.profile)
    let settings = configuration.settings + [("identity.profile", login.description)]
    let pins = configuration.pinSets.map { $0.with(pattern: session.pins.meant($0.pattern)) }
    let changes = PinChanges(
      differences: session.pinning.differences(
        to: pins, replaces: false, origin: PinOrigin(.import, "sap \(arguments.file)")),
      policy: session.profile.pinPolicy)
    context.show(
      settings.map { setting(session.profile, $0, $1) }
        + configuration.login.map { "profile '\(login)': \($0.key)=\($0.value)" } + changes.lines,
      isAgreed: arguments.yes)
    try await changes.agreeToWeaker(
      isAgreed: arguments.allowWeaker, refuses: arguments.yes, in: context)
    try await set(settings, arguments, session, context) {
      try await makeLogin(login, configuration, session, context)
    }
    try await session.pinning.apply(changes.differences)
    guard let uri = configuration.redirectURI else { return }
    context.note("the app's login leads back to \(uri)")
  }

  /// The setting as a line, with the present value if that is another one.
  private static func setting(_ profile: Profile, _ key: String, _ text: String) -> String {
    let old = profile[key].flatMap { ProfileKey.named(key)?.text(of: $0) } ?? text
    return old == text ? "\(key)=\(text)" : "\(key)=\(text) (before: \(old))"
  }

  /// Makes or changes the profile of the login, which gets the pins that this one has for its hosts.
  private static func makeLogin(
    _ name: ProfileName, _ configuration: SAPConfiguration, _ session: ProfileSession,
    _ context: Context
  ) async throws {
    let store = try context.store()
    let other = context.with(profile: name.description)
    if store.contains(name) {
      try await other.changeProfile { (profile) throws(SDKError) in
        profile = try configuration.loginProfile(of: session.profile, stored: profile)
      }
    } else {
      try store.add(try configuration.loginProfile(of: session.profile, stored: nil))
    }
    let opened = try other.session()
    let sets = ["authorization", "token"].compactMap { endpoint in
      opened.profile["endpoints.\(endpoint)"]?.string.flatMap { try? HTTPURL($0) }
        .flatMap { session.pins.set(for: $0.host, port: $0.port) }
    }
    try await opened.pinning.change { pins in
      sets.reduce(pins) { $0[$1.pattern] == nil ? $0.adding($1) : $0 }
    }
  }
}
