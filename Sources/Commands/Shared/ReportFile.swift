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

  /// Writes the whole report; the file takes its place at once.
  func write(_ text: String, in context: Context) throws {
    guard let file else { return context.write(document: text) }
    try Failure.writing { () throws(SystemError) in
      try file.write(Array(text.utf8))
      try file.commit()
    }
  }
}
