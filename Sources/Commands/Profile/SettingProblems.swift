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
    if let kind = try? AppConfiguration(reading: bytes).kind, kind != .settings { return nil }
    problems = ProfileLinter(pins: PinSets()).problems(in: bytes)
  }

  init(of export: ProfileExport) throws {
    problems = ProfileLinter(pins: PinSets(try export.pinSets())).problems(in: export.settings)
  }

  init(of configuration: AppConfiguration) throws {
    let profile = try configuration.applied(to: try Profile(name: try ProfileName("new")))
    problems = ProfileLinter(pins: PinSets(configuration.pinSets)).problems(in: profile.members)
  }

  var hasErrors: Bool { problems.contains { $0.severity == .error } }

  /// Prints what an import would change, and the problems.
  ///
  /// - Throws: ``Failure`` with exit status 11 if there is an error.
  func print(
    _ changes: SettingChanges, _ pins: PinChanges? = nil, of name: ProfileName, isNew: Bool,
    notes: [String] = [], _ context: Context
  ) throws {
    var report = changes.report(
      of: name, isNew: isNew, pins: pins?.json ?? .array([]), notes: notes)
    report["problems"] = .array(problems.map(\.json))
    context.preview(changes.lines + (pins?.lines ?? []), report)
    if !context.globals.json {
      context.print(
        TextTable("LINE", "SEVERITY", "PROBLEM", "SETTING", "MESSAGE", rows: problems.map(\.cells)))
    }
    if hasErrors { throw Failure.silent(.verification) }
  }
}

extension Finding {
  fileprivate var cells: [TextTable.Cell] {
    [
      .init(line.map(String.init) ?? "-"),
      .init(severity.rawValue, severity == .error ? .bad : .warning),
      .init(problem?.rawValue ?? "-"),
      .init(subject ?? "-"), .init(text),
    ]
  }

  fileprivate var json: JSON {
    [
      "setting": .string(subject ?? ""), "line": line.map { .int(Int64($0)) } ?? .null,
      "severity": .string(severity.rawValue), "problem": JSON(problem?.rawValue),
      "message": .string(text),
    ]
  }
}
