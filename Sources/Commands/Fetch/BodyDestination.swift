import POSIX

enum BodyDestination: Sendable {
  case output(Output, isTerminal: Bool)
  /// A file that takes its place at the end, over another one or not.
  case file(StagedFile, replaces: Bool)
  /// A part of a file, which a later run continues.
  case part(Resumption)
  /// Memory, for the document of `--json`.
  case memory

  /// Opens the file of a path, with its part if it `continues`; without a path it is standard output, or
  /// memory for `--json`.
  init(_ output: OutputPath, continues: Bool, _ context: Context) throws {
    if let path = output.path {
      guard continues else {
        self = try .file(path, replaces: output.replaces)
        return
      }
      self = try Failure.writing { () throws(SystemError) in
        .part(Resumption(file: try PartialFile(path)))
      }
    } else if context.globals.json {
      self = .memory
    } else {
      self = .output(context.output, isTerminal: context.isTerminal)
    }
  }

  /// Opens a file, which is for its owner only if it is new.
  static func file(_ path: String, replaces: Bool = true) throws(Failure) -> BodyDestination {
    .file(
      try Failure.writing { () throws(SystemError) in
        try StagedFile(path, .named(newMode: 0o600))
      }, replaces: replaces)
  }

  /// Whether a person would read the bytes.
  var isTerminal: Bool {
    switch self {
    case .output(_, let isTerminal): isTerminal
    case .file(let file, _): file.isTerminal
    case .memory, .part: false
    }
  }

  /// The part that is continued; `nil` for other destinations.
  var resumption: Resumption? {
    if case .part(let resumption) = self { resumption } else { nil }
  }

  /// Whether a regular file is replaced at the end.
  var isReplacing: Bool {
    switch self {
    case .file(let file, _): file.isReplacing
    case .part: true
    case .output, .memory: false
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    switch self {
    case .output(let output, _): try output.writeRaw(bytes)
    case .file(let file, _): try file.write(bytes)
    case .part(let part): try part.file.write(bytes)
    case .memory: break
    }
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    switch self {
    case .output(let output, _):
      output.write(bytes)
      try output.flush()
    case .file(let file, _): try file.write(bytes)
    case .part, .memory: break
    }
  }

  /// Keeps the old file; a part stays, to be continued.
  func discard() {
    if case .file(let file, _) = self { file.discard() }
  }

  func commit() throws(SystemError) {
    switch self {
    case .file(let file, let replaces): try file.commit(replacing: replaces)
    case .part(let part): try part.file.commit()
    case .output, .memory: break
    }
  }
}
