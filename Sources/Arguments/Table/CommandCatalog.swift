/// The data of the command table: what help, manual, completions and the lexer read.
package struct CommandCatalog: Sendable {
  package let program: Program
  package let globals: [OptionDoc]
  package let entries: [Entry]
  /// What to use in place of a word that is none of the table's: a command by its path, or an option behind
  /// the path of its command; the hint if it is typed.
  let advice: @Sendable (_ words: [String]) -> String?
  private let makeAppendix: @Sendable () -> Appendix

  // The appendix is made when asked for: only documents need it, and a command must start fast.
  package init(
    program: Program, globals: [OptionDoc], entries: [Entry],
    advice: @escaping @Sendable ([String]) -> String?,
    appendix: @autoclosure @escaping @Sendable () -> Appendix
  ) {
    self.program = program
    self.globals = globals
    self.entries = entries
    self.advice = advice
    makeAppendix = appendix
  }

  package var topics: [Topic] { makeAppendix().topics }
  package var exitCodes: [ExitCodeRow] { makeAppendix().exitCodes }
  package var environment: [DocRow] { makeAppendix().environment }
  package var files: [DocRow] { makeAppendix().files }
  package var formats: [FormatPage] { makeAppendix().formats }

  /// A command of the first level with its subcommands.
  package struct Entry: Sendable {
    package let name: String
    package let command: CommandDoc?
    private let makePage: @Sendable () -> CommandInfo
    private let makeSubcommands: @Sendable () -> [CommandDoc]

    // Both are made when asked for: a run reads those of one command.
    package init(
      name: String, page: @autoclosure @escaping @Sendable () -> CommandInfo, command: CommandDoc?,
      subcommands: @autoclosure @escaping @Sendable () -> [CommandDoc]
    ) {
      (self.name, makePage, self.command, makeSubcommands) = (name, page, command, subcommands)
    }

    /// A subcommand, as documents have a page for it too.
    init(_ command: CommandDoc) {
      self.init(
        name: command.page.name, page: command.page, command: command, subcommands: [])
    }

    package var page: CommandInfo { makePage() }

    var path: [String] { command?.path ?? [page.name] }

    package var subcommands: [CommandDoc] { makeSubcommands() }

    package var visibleSubcommands: [CommandDoc] { subcommands.filter { !$0.page.isHidden } }

    /// The words that may follow those of a subcommand, each with the summary of its first command.
    package func words(after words: [String]) -> [(word: String, summary: String)] {
      var rows: [(word: String, summary: String)] = []
      for page in visibleSubcommands.map(\.page) where page.words.starts(with: words) {
        guard let word = page.words.dropFirst(words.count).first, rows.last?.word != word else {
          continue
        }
        rows.append((word, page.summary))
      }
      return rows
    }
  }

  /// A command that runs.
  package struct CommandDoc: Sendable {
    /// ["token"], ["token", "decode"] or ["profile", "store", "move"].
    package let path: [String]
    private let makePage: @Sendable () -> CommandInfo
    private let makeOptions: @Sendable () -> [OptionDoc]
    private let makeOperands: @Sendable () -> [OperandDoc]

    package init(
      path: [String], page: @autoclosure @escaping @Sendable () -> CommandInfo,
      options: @autoclosure @escaping @Sendable () -> [OptionDoc],
      operands: @autoclosure @escaping @Sendable () -> [OperandDoc]
    ) {
      (self.path, makePage, makeOptions, makeOperands) = (path, page, options, operands)
    }

    package var page: CommandInfo { makePage() }
    package var options: [OptionDoc] { makeOptions() }
    package var operands: [OperandDoc] { makeOperands() }
  }

  package var visibleEntries: [Entry] { entries.filter { !$0.page.isHidden } }

  /// What `help` can be asked about in one word, for completions.
  package var subjects: [String] {
    visibleEntries.map(\.page.name) + topics.map(\.name) + ["topics"]
  }

  package func entry(_ name: String) -> Entry? {
    entries.first { $0.name == name }
  }

  /// The command or subcommand of these words.
  func entry(at path: [String]) -> Entry? {
    guard let name = path.first, let entry = entry(name), path.count > 1 else {
      return path.first.flatMap(entry)
    }
    return entry.subcommands.first { $0.path == path }.map(Entry.init)
  }

  /// What every command takes, help included, as documents list it.
  var documentedGlobals: [OptionDoc] { globals + [Self.help] }

  static let help = OptionDoc(
    long: "help", short: "h", valueName: nil, summary: "Show help (-h short, --help long)")

  /// `--version`, if the program has one: what it takes without a command.
  var versionOption: [OptionDoc] {
    program.version.isEmpty
      ? []
      : [OptionDoc(long: "version", short: nil, valueName: nil, summary: "Show the version")]
  }
}

package struct Program: Sendable {
  package let name: String
  package let version: String
  package let summary: String
  package let description: String
  package let examples: [Example]

  package init(
    name: String, version: String, summary: String, description: String,
    examples: [Example] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.description = description
    self.examples = examples
  }
}

/// What documents list besides the commands.
package struct Appendix: Sendable {
  package let topics: [Topic]
  package let exitCodes: [ExitCodeRow]
  package let environment: [DocRow]
  package let files: [DocRow]
  package let formats: [FormatPage]

  package init(
    topics: [Topic] = [], exitCodes: [ExitCodeRow] = [], environment: [DocRow] = [],
    files: [DocRow] = [], formats: [FormatPage] = []
  ) {
    self.formats = formats
    self.topics = topics
    self.exitCodes = exitCodes
    self.environment = environment
    self.files = files
  }
}

/// A subject of `help` that is not a command; its page is in section 7 of the manual.
package struct Topic: Sendable {
  package let name: String
  package let summary: String
  package let text: String
  /// The options of other programs that the text names.
  package let otherOptions: [String]

  package init(name: String, summary: String, text: String, otherOptions: [String] = []) {
    self.name = name
    self.summary = summary
    self.text = text
    self.otherOptions = otherOptions
  }
}

/// What an exit code means, and what a script does about it.
package struct ExitCodeRow: Sendable, Hashable {
  package let code: Int32
  package let name: String
  package let summary: String
  package let advice: String
  /// The commands that may end with it are those that need this; `nil` for those that name it.
  package let needs: Needs?

  package init(
    code: Int32, name: String, summary: String, advice: String = "", needs: Needs? = nil
  ) {
    self.code = code
    self.name = name
    self.summary = summary
    self.advice = advice
    self.needs = needs
  }
}

/// An environment variable, or a file, that the program reads or writes.
package typealias DocRow = (name: String, summary: String)

/// A description of files and of the keys in them; its page is in section 5 of the manual.
package typealias FormatPage = (topic: Topic, sections: [FormatSection])

/// Keys of a file under one heading.
package typealias FormatSection = (title: String, rows: [FormatRow])

/// One key of a file: what a value must be, in words, and the value if it is not set.
package struct FormatRow: Sendable {
  let key: String
  let summary: String
  let type: String
  let defaultText: String?
  let example: String

  package init(
    key: String, summary: String, type: String, defaultText: String? = nil, example: String
  ) {
    self.key = key
    self.summary = summary
    self.type = type
    self.defaultText = defaultText
    self.example = example
  }
}
