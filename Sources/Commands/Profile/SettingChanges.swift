import AppConfigurations
import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// Changes of settings that come from a document: what is shown of them and agreed to.
struct SettingChanges {
  /// A line of what a document changes.
  private struct Item {
    /// What `--allow` takes.
    let name: String
    let text: String
    let effect: SettingChange.Effect?
  }

  let changes: [SettingChange]
  private let items: [Item]

  /// Takes changes of a profile.
  ///
  /// - Parameters:
  ///   - changes: those of its settings.
  ///   - login: those of the profile whose login it uses.
  ///   - references: what imported secrets name of this machine.
  init(
    _ changes: [SettingChange], login: (name: ProfileName, changes: [SettingChange])? = nil,
    references: [LocalReference] = []
  ) {
    self.changes = changes
    items =
      changes.map { Item(name: $0.key, text: $0.line, effect: $0.effect) }
      + (login?.changes ?? []).map { [login] change in
        let profile = login?.name.description ?? ""
        return Item(
          name: "\(profile).\(change.key)", text: "profile '\(profile)': \(change.line)",
          effect: change.effect)
      } + references.map { Item(name: $0.name, text: "\($0.name)=\($0.value)", effect: .local) }
  }

  /// The lines for people; `!` marks what is agreed to by itself.
  var lines: [String] { items.map { "\($0.effect == nil ? "" : "! ")\($0.text)" } }

  /// Shows settings, pins and what else is imported, and throws unless a person agrees to them.
  ///
  /// Without a question only what protects less or leads elsewhere is asked for.
  func agree(
    with pins: PinChanges, and others: [String] = [], _ question: String?,
    _ consent: SettingConsent,
    isAgreed: Bool, refuses: Bool, in context: Context
  ) async throws {
    context.show(
      lines + pins.lines(context.noteWidth) + others, isAgreed: isAgreed || question == nil)
    try await agree(consent, refuses: isAgreed, in: context)
    try await pins.agreeToWeaker(isAgreed: consent.allowsWeaker, refuses: refuses, in: context)
    if let question { try await context.confirm(question, isAgreed: isAgreed) }
  }

  /// Throws unless a person agrees to what needs it, or has agreed to it with options.
  ///
  /// What protects less is agreed to together; what leads elsewhere or names something of this machine, only by its
  /// name.
  private func agree(_ consent: SettingConsent, refuses: Bool, in context: Context) async throws {
    for name in consent.names
    where SettingTable.ofProgram.named(name) == nil && !items.contains(where: { $0.name == name }) {
      throw Failure.usage("could not use --allow: there is no setting '\(Visible.line(name))'")
    }
    let open = items.filter { $0.effect != nil && !consent.names.contains($0.name) }
    try await context.agreeToWeaker(
      "Agree to the settings with !, which protect less?",
      "could not import the settings: some would protect less",
      open.filter { $0.effect == .weaker }.map(\.text), isAgreed: consent.allowsWeaker,
      refuses: refuses)
    let named = open.filter { $0.effect != .weaker }
    guard !named.isEmpty else { return }
    guard refuses || !context.isInteractive else {
      let names = named.map(\.name).joined(separator: ", ")
      return try await context.confirm(
        "Agree to \(names), with credentials sent elsewhere, or programs or files of this machine used?",
        isAgreed: false)
    }
    var failure = Failure.usage(
      "could not import the settings: some send credentials elsewhere, or use programs or files of this machine",
      hints: [
        context.commandLine(adding: "--allow", named.map(\.name).joined(separator: ","))
      ])
    failure.details = named.map(\.text)
    throw failure
  }

}

struct ImportReport {
  let profile: ProfileName
  let isNew: Bool
  let settings: SettingChanges
  let pins: PinChanges?
  let notes: [String]
  /// What is wrong with the settings; it is looked for with `--dry-run` only.
  var problems: [Finding] = []

  static let rows = Rows<ImportReport>(
    .member("profile", "the profile") { $0.profile.description },
    .member("created", "whether it is new") { $0.isNew },
    .member("settings", "the new values by key; a value that goes is null") {
      JSON.object(JSONObject($0.settings.changes.map { ($0.key, JSON($0.new)) }))
    },
    .list("pins", "the pins that change, by host", PinChanges.additions) { $0.pins?.sets ?? [] },
    .member("notes", "what is not used, or is worth knowing") { $0.notes },
    .list("problems", "with `--dry-run`, what is wrong with the settings", SettingProblems.rows) {
      $0.problems
    })
}

extension SettingChange {
  /// The setting with its present value, if it has one.
  fileprivate var line: String {
    "\(key)=\(new ?? "")" + (old.map { " (before: \($0))" } ?? "")
  }
}

/// What a person agrees to on the command line, of settings that come from elsewhere.
struct SettingConsent: Sendable {
  var allowsWeaker = false
  /// Lists of names, separated by commas.
  var lists: [String] = []

  static let options: [Option<Self>] = [
    .flag("allow-weaker", \.allowsWeaker, "Agree to what protects less"),
    .list("allow", "SETTING", \.lists, "Agree to this setting with !")
      .more(
        """
        Several are separated by commas. It is needed for each setting that sends credentials elsewhere, or \
        names a program, a module, a file or a device of this machine.
        """
      ).completing(.dynamic("keys")),
  ]

  /// What may lead elsewhere, or name something of this machine.
  var names: Set<String> {
    Set(lists.flatMap { $0.split(separator: ",").map(String.init) })
  }
}

/// What is wrong with the settings of a document: what `profile import --dry-run` prints of them.
struct SettingProblems {
  private let problems: [Finding]

  /// Reads the settings of a profile by their own names, whose problems have lines; `nil` for another document.
  init?(of bytes: [UInt8]) {
    let bytes = bytes.withoutByteOrderMark
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      (try? JSON(parsing: bytes))?.object?[ProfileDocument.mark] == nil
    else { return nil }
    if let kind = AppConfiguration.kind(of: bytes), kind != .settings { return nil }
    problems = ProfileLinter(settings: .ofProgram).problems(in: bytes)
  }

  init(of export: ProfileExport) throws {
    problems = ProfileLinter(pins: PinSets(try export.pinSets()), settings: .ofProgram)
      .problems(in: export.settings)
  }

  init(of configuration: AppConfiguration) throws {
    let profile = try configuration.applied(
      to: try Profile(name: try ProfileName("new"), settings: .ofProgram))
    problems = ProfileLinter(pins: PinSets(configuration.pinSets), settings: .ofProgram)
      .problems(in: profile.members)
  }

  var hasErrors: Bool { problems.contains { $0.severity == .error } }

  /// Prints what an import would change, and the problems.
  ///
  /// - Throws: ``Failure`` with exit status 11 if there is an error.
  func print(
    _ changes: SettingChanges, _ pins: PinChanges? = nil, of name: ProfileName, isNew: Bool,
    notes: [String] = [], _ context: Context
  ) throws {
    let report = ImportReport(
      profile: name, isNew: isNew, settings: changes, pins: pins, notes: notes, problems: problems)
    context.preview(
      changes.lines + (pins?.lines(context.noteWidth) ?? []), ImportReport.rows.json(report))
    if !context.globals.json { context.print(problems, Self.rows) }
    if hasErrors { throw Failure.silent(.verification) }
  }

  static let rows = Rows<Finding>(
    .column("line", "LINE", "the line of the document") { $0.line.map(Int64.init) },
    .column(
      "severity", "SEVERITY", "`error` or `warning`",
      tone: { $0.severity == .error ? .bad : .warning }
    ) { $0.severity.rawValue },
    .column("problem", "PROBLEM", "what it is, in a word") { $0.problem?.rawValue },
    .column("setting", "SETTING", "the setting; null of the whole document") { $0.subject },
    .column("message", "MESSAGE", "the explanation") { $0.text })
}
