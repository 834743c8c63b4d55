import JSON
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

  /// Throws unless a person agrees to what needs it, or has agreed to it with options.
  ///
  /// What protects less is agreed to together; what leads elsewhere or names something of this machine, only by its
  /// name.
  func agree(_ consent: SettingConsent, refuses: Bool, in context: Context) async throws {
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

/// What an import did, or would do.
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
    .list("pins", "the pins that change, by host", PinChanges.rows) { $0.pins?.sets ?? [] },
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
