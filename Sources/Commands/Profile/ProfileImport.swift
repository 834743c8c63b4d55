import AppConfigurations
import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

enum ProfileImport: Command {
  static let page = CommandInfo(
    name: "import", summary: "Take settings from a configuration or an export",
    description: """
      Reads the configuration of an app, or a document of {profile export}, and sets what it says in the \
      profile: `sdkctl profile import config.json`. With `--new` it creates a profile. The file is of one of \
      these kinds, as JSON or an XML property list. Keys that are not used are named.

      Onegini, OneWelcome: the folder of the export of the token server, with \
      `config.json` and certificates in `certificates/`; or the dictionary of an app with keys that begin with \
      `ONG`. The keys of the certificates are pinned for the hosts of all URLs, and the hosts of further \
      resources go to `allowedHosts`.

      SAP: certificate discovery, keys that begin with `com.sap.mobilesecure.certificateService.`, or stand \
      below `userIdentityConfigurationParameters` and `oAuth2AuthenticationParameters`. \
      The endpoints and the client of its login become a profile of their own, `NAME-certificates`, \
      because no secret of this profile's login may be sent there; `identity.profile` names it, and \
      {login} logs in to it. The keys of `publicKeyPinSet` are pinned for the hosts of the service.

      Sequencing.com: the four values of its OAuth library, in any of the usual spellings. A client \
      secret is stored with the registration, never in the settings.

      Settings: the keys of {profiles} as JSON, as `docs/profile.schema.json` describes them. Other keys \
      are refused; `--dry-run` names each with its line.

      The command shows what it will set, with the present values, and asks; without a terminal it \
      needs `--yes`. Lines with `!` are asked for by themselves. Settings and pins that protect less need \
      `--allow-weaker`; see {pin import}. Each setting that sends credentials elsewhere, or names a program, a \
      module, a file or a device of this machine, needs `--allow` with its name. An export with secrets is \
      imported as a new profile only.

      With `--dry-run` it prints what it would set, and a line for each problem of the settings in \
      the file. Nothing is changed, and the exit status is 11 if there is an error. {doctor} finds the same in a stored profile.

      * `malformed`: the file is not JSON (error).
      * `unknown-key`: there is no such setting (error).
      * `invalid-value`: a value of another type, or one that cannot be used (error).
      * `contradiction`: settings that cannot work together, or one that another needs (error).
      * `plain-http`: requests without TLS (error; warning if `insecureLoopback` allows it).
      * `unpinned`: a host of the file has no pins there (warning).
      * `not-enforced`: `pinPolicy` is `report` (warning).
      * `switched-off`: a check is switched off, or something risky is allowed (warning).
      * `open-scheme`: any program can claim the scheme of `redirectURI` (warning).
      """,
    examples: [
      ("sdkctl profile import config.json", "Use the configuration of an app"),
      ("sdkctl profile import --new work tokenserver-app-config/", "Create a profile of it"),
      ("sdkctl profile import --new work work.sealed", "Move a profile to this machine"),
      ("sdkctl profile import --new work --dry-run work.json", "Check a file, for example in CI"),
    ],
    exitCodes: [11],
    seeAlso: ["profile export", "doctor", "profile set", "identity obtain"],
    output: ImportReport.rows.document, needs: [.network, .terminal])

  struct Arguments: CommandArguments {
    var file = ""
    var new: ProfileName?
    var dryRun = false
    var yes = false
    var consent = SettingConsent()
  }

  static let options: [Option<Arguments>] =
    [
      .value("new", "NAME", \.new, "Create this profile") { (text) throws(ValueError) in
        guard let name = try? ProfileName(text) else { throw ValueError("not a name of a profile") }
        return name
      },
      .flag("dry-run", \.dryRun, "Show what would be set, and what is wrong with it")
        .excludes("yes"),
      .yes(\.yes, "Import without asking"),
    ] + SettingConsent.options.of(\.consent)

  static let operands: [Operand<Arguments>] = [
    .one("FILE", \.file, "A document or a folder, - for standard input")
      .completing(.file).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if let name = arguments.new { try context.store().requireAbsent(name) }
    let file = try file(arguments, context)
    /// Prints what is wrong with a document of which no change is known.
    func printErrors(_ problems: SettingProblems) throws {
      guard problems.hasErrors else { return }
      let name = try arguments.new ?? context.profileName()
      try problems.print(SettingChanges([]), of: name, isNew: arguments.new != nil, context)
    }
    let problems = arguments.dryRun ? file.flatMap { SettingProblems(of: $0.bytes) } : nil
    try problems.map(printErrors)
    let export: ProfileExport
    switch try file.flatMap({ try ProfileDocument(reading: $0.bytes.withoutByteOrderMark) }) {
    case nil:
      let configuration = try configuration(file, arguments, context)
      return try await ImportPlan(configuration, arguments, context).run(problems)
    case .open(let document): export = document
    case .sealed(let sealed):
      guard arguments.new != nil else {
        throw Failure.usage(
          "could not import the export: it is encrypted, and becomes a new profile only",
          hints: [ShellWord.sdkctl("profile", "import", "--new", "NAME", arguments.file)])
      }
      let passphrase = try await context.oldSecret(
        "passphrase", of: "the export", file: context.globals.passphraseFile)
      export = try await sealed.export(openedWith: Array(passphrase.utf8))
    }
    if arguments.dryRun { try printErrors(SettingProblems(of: export)) }
    guard let name = arguments.new else {
      return try await ImportPlan(
        try AppConfiguration(export, settings: .ofProgram), arguments, context
      ).run(
        SettingProblems(of: export))
    }
    try await create(name, of: export, arguments, context)
  }

  /// Creates a profile of an export, file by file.
  @inline(never)
  private static func create(
    _ name: ProfileName, of export: ProfileExport, _ arguments: Arguments, _ context: Context
  ) async throws {
    let profile = try export.profile(named: name, .ofProgram)
    let changes = SettingChanges(
      try Profile(name: name, settings: .ofProgram).changes(to: profile),
      references: export.localReferences)
    let pins = PinChanges(
      differences: try export.pinSets().map { PinDifference(of: PinSets(), to: $0) },
      policy: profile.pinPolicy)
    if arguments.dryRun {
      return try SettingProblems(of: export).print(
        changes, pins, of: name, isNew: true, context)
    }
    let secrets = export.hasSecrets ? ["the registration and other secrets"] : []
    try await changes.agree(
      with: pins, and: secrets, "Create the profile '\(name)' with this?", arguments.consent,
      isAgreed: arguments.yes, refuses: arguments.yes, in: context)
    try await context.store().add(export, as: name)
    context.report(
      ImportReport(profile: name, isNew: true, settings: changes, pins: pins, notes: []),
      ImportReport.rows, "created the profile '\(name)'")
  }

  private static func file(
    _ arguments: Arguments, _ context: Context
  ) throws -> SecretFile? {
    guard !AppConfiguration.isFolder(arguments.file) else { return nil }
    let (limit, what) = (ProfileDocument.maximumSize, "configuration")
    return try arguments.file == "-"
      ? SecretFile(context.read("-", "the \(what)", limit: limit))
      : SecretFile(arguments.file, what, limit: limit)
  }

  private static func configuration(
    _ file: SecretFile?, _ arguments: Arguments, _ context: Context
  ) throws -> AppConfiguration {
    guard let file else {
      return try AppConfiguration(folder: arguments.file, settings: .ofProgram)
    }
    let configuration = try AppConfiguration(
      reading: file.bytes.withoutByteOrderMark, settings: .ofProgram)
    if configuration.clientSecret != nil { try context.requireProtection(of: file) }
    return configuration
  }
}
