import POSIX

/// A file for a report, opened before the work that it is about; `-` is standard output.
struct ReportFile {
  private let file: StagedFile?

  var isOutput: Bool { file == nil }

  /// Opens the file, or a new one in its place.
  init(_ path: String) throws {
    file = try Failure.writing { () throws(SystemError) in
      path == "-" ? nil : try StagedFile(path, .named(newMode: 0o644))
    }
  }

  /// Refuses reports, by the names of their options, that share standard output with one another or
  /// with `--json`.
  static func requireOneOutput(
    _ paths: KeyValuePairs<String, String?>, _ context: Context
  ) throws {
    var outputs = paths.filter { $0.value == "-" }.map { "'--\($0.key) -'" }
    if context.globals.json { outputs.append("'--json'") }
    guard outputs.count < 2 else {
      throw Failure.usage("\(outputs[0]) and \(outputs[1]) cannot be used together")
    }
  }

  /// Writes the whole report; the file takes its place at once.
  func write(_ text: String, in context: Context) throws {
    guard let file else { return context.write(document: text) }
    try Failure.writing { () throws(SystemError) in
      try file.write(Array(text.utf8))
      try file.commit()
    }
  }
}
