import AppConfigurations
import JSON
import Pinning
import Primitives
import SDKCore

/// What is wrong with the settings of a document: what `profile import --dry-run` prints of them.
struct SettingProblems {
  private let problems: [Finding]

  /// Reads the settings of a profile by their own names, whose problems have lines; `nil` for another document.
  init?(of bytes: [UInt8]) {
    let bytes = bytes.withoutByteOrderMark
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      (try? JSON(parsing: bytes))?.object?[ProfileDocument.mark] == nil
    else { return nil }
    if let kind = try? AppConfiguration(reading: bytes, settings: .ofProgram).kind,
      kind != .settings
    {
      return nil
    }
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
    context.preview(changes.lines + (pins?.lines ?? []), ImportReport.rows.json(report))
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
