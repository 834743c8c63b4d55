import Arguments
import JSON
import Pinning
import SDKCore

/// `sdkctl profile import` -- take settings from the configuration of an app, or from an export.
enum ProfileImport: Command {
  static let page = CommandInfo(
    name: "import", summary: "Take settings from a configuration or an export",
    description: """
      Reads the configuration of an app, or a document of {profile export}, and sets what it says in the \
      profile: `sdkctl profile import config.json`. With `--new` it creates a profile. The file is of one of \
      these kinds, as JSON or an XML property list. Keys that are not used are named.

      Onegini, OneWelcome: the export of the token server, a ZIP archive or its folder, with \
      `config.json` and certificates in `certificates/`; or the dictionary of an app with keys that begin with \
      `ONG`. The keys of the certificates are pinned for the hosts of all URLs, and the hosts of further \
      resources go to `allowedHosts`.

      Nevis: the settings of the Mobile Authentication SDK, `baseUrl` or `hostName` with paths, \
      numbers and times, in an object `sdk` or by themselves. They become `fido.*`, and the \
      `loginRequestURL` of the example apps becomes `form.*`.

      SAP: certificate discovery, keys that begin with `com.sap.mobilesecure.certificateService.`, or stand \
      below `userIdentityConfigurationParameters` and `oAuth2AuthenticationParameters`. \
      The endpoints and the client of its login become a profile of their own, `NAME-certificates`, \
      because no secret of this profile's login may be sent there; `identity.profile` names it, and \
      {login} logs in to it. The keys of `publicKeyPinSet` are pinned for the hosts of the service.

      AppAuth: `issuer`, `discovery_uri` or endpoints, with `client_id`, `redirect_uri` and scopes, in any of \
      the usual spellings. Without a server these are the four values of Sequencing.com's library. A client \
      secret is stored with the registration, never in the settings.

      Settings: the keys of {profiles} as JSON, as `docs/profile.schema.json` describes them. Other keys \
      are refused; {profile lint} names each with its line.

      The command shows what it will set, with the present values, and asks; without a terminal it \
      needs `--yes`. Lines with `!` are asked for by themselves. Settings and pins that protect less need \
      `--allow-weaker`; see {pin import}. Each setting that sends credentials elsewhere, or names a program, a \
      module, a file or a device of this machine, needs `--allow` with its name. An export with secrets is \
      imported as a new profile only.
      """,
    examples: [
      ("sdkctl profile import config.json", "Use the configuration of an app"),
      ("sdkctl profile import --new work tokenserver-app-config.zip", "Create a profile of it"),
      ("sdkctl profile import --new work work.sealed", "Move a profile to this machine"),
    ],
    exitCodes: [2, 3, 15],
    seeAlso: ["profile export", "profile lint", "profile set", "identity obtain"],
    json: """
      An object with `profile`, `created`, `settings` (those that changed, by key), `pins` (the changes, as \
      in {pin import}) and `notes`.
      """, needs: [.network, .terminal])

  struct Arguments: SettingConsenting {
    var file = ""
    var new: ProfileName?
    var yes = false
    var consent = SettingConsent()
  }

  static let options: [Option<Arguments>] =
    [
      .value("new", nil, "NAME", \.new, "Create this profile") { (text) throws(ValueError) in
        guard let name = try? ProfileName(text) else { throw ValueError("not a name of a profile") }
        return name
      },
      .flag("yes", "y", \.yes, "Import without asking"),
    ] + Arguments.consentOptions

  static let operands: [Operand<Arguments>] = [
    .one("FILE", \.file, "A document, an archive or a folder, - for standard input")
      .completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if let name = arguments.new { try context.store().requireAbsent(name) }
    let export: ProfileExport
    switch try document(arguments, context) {
    case .configuration(let configuration):
      return try await ImportPlan(configuration, arguments, context).run()
    case .open(let document): export = document
    case .sealed(let sealed):
      export = try await sealed.opened(with: try await passphrase(context))
    }
    guard let name = arguments.new else {
      guard !export.hasSecrets else {
        throw Failure.usage(
          "could not import the secrets: a profile that exists keeps its own",
          hints: ["create a profile with --new NAME"])
      }
      return try await ImportPlan(try AppConfiguration(export), arguments, context).run()
    }
    try await create(name, of: export, arguments, context)
  }

  /// Creates a profile of an export, file by file.
  @inline(never)
  private static func create(
    _ name: ProfileName, of export: ProfileExport, _ arguments: Arguments, _ context: Context
  ) async throws {
    let profile = try export.profile(named: name)
    let changes = SettingChanges(
      try Profile(name: name).changes(to: profile), references: export.localReferences)
    let pins = PinChanges(
      differences: try export.pinSets().map { PinDifference(of: PinSets(), to: $0) },
      policy: profile.pinPolicy)
    let secrets = export.hasSecrets ? ["the registration and other secrets"] : []
    context.show(changes.lines + pins.lines + secrets, isAgreed: arguments.yes)
    try await changes.agree(arguments.consent, refuses: arguments.yes, in: context)
    try await pins.agreeToWeaker(
      isAgreed: arguments.consent.allowsWeaker, refuses: arguments.yes, in: context)
    try await context.confirm("Create the profile '\(name)' with this?", isAgreed: arguments.yes)
    try context.store().add(export, as: name)
    let notes = export.unknownSettings.map { "there is no setting '\($0)'" }
    for note in notes { context.note(note) }
    guard context.globals.json else { return context.note("created the profile '\(name)'") }
    context.print(changes.report(of: name, isNew: true, pins: pins.json, notes: notes))
  }

  private static func document(
    _ arguments: Arguments, _ context: Context
  ) throws -> ProfileDocument {
    if AppConfiguration.isFolder(arguments.file) {
      return .configuration(try AppConfiguration(folder: arguments.file))
    }
    let limit = AppConfiguration.maximumSize
    let what = "configuration"
    let file =
      try arguments.file == "-"
      ? SecretFile(context.read("-", "the \(what)", limit: limit))
      : SecretFile(arguments.file, what, limit: limit)
    let document = try ProfileDocument(reading: file.bytes.withoutByteOrderMark)
    if case .configuration(let configuration) = document, configuration.clientSecret != nil {
      try context.requireProtection(of: file)
    }
    return document
  }

  @inline(never)
  private static func passphrase(_ context: Context) async throws -> [UInt8] {
    if let file = context.passphraseFile {
      return Array(try await SecretFile.line(of: file, "passphrase").utf8)
    }
    return Array(
      try await context.typedSecret("Passphrase of the export: ", "passphrase").utf8)
  }
}
