/// The documentation of one command, without its options.
///
/// Prose (`description`, the longer text of options, topics) is in the markup that `Prose`
/// reads: blank lines part paragraphs, `--name` is an option, words in backquotes are code,
/// `{token decode}` refers to a command, a topic or a foreign page such as `{curl(1)}`.
package struct CommandInfo: Sendable {
  /// The word that is typed: "token", or "decode" for `sdkctl token decode`; more than one for a command of
  /// the third level: "store move".
  package let name: String

  package var words: [String] { name.split(separator: " ").map(String.init) }

  /// The heading under which the main help lists a command of the first level.
  package let group: Heading

  /// One line without a final period, at most 60 columns.
  package let summary: String

  package var description: String {
    ([makeDescription()] + [output?.lines].compactMap { $0 }).joined(separator: "\n\n")
  }

  // Made when asked for: a run does not read the prose of other commands.
  private let makeDescription: @Sendable () -> String
  package let examples: [Example]

  /// The exit codes of this command besides those that follow from `needs`.
  package let exitCodes: [Int32]

  /// Commands ("token decode"), topics ("exit-codes") or foreign pages ("curl(1)").
  package let seeAlso: [String]

  /// What the command prints as JSON; `nil` if it prints none.
  package var output: OutputDoc? { makeOutput() }

  private let makeOutput: @Sendable () -> OutputDoc?

  package let needs: Needs

  /// A hidden command works but no document, completion or suggestion names it.
  package let isHidden: Bool

  package init(
    name: String, group: Heading = .none, summary: String,
    description: @autoclosure @escaping @Sendable () -> String,
    examples: [Example] = [], exitCodes: [Int32] = [],
    seeAlso: [String] = [],
    output: @autoclosure @escaping @Sendable () -> OutputDoc? = nil, needs: Needs = [],
    isHidden: Bool = false
  ) {
    self.name = name
    self.group = group
    self.summary = summary
    makeDescription = description
    self.examples = examples
    self.exitCodes = exitCodes
    self.seeAlso = seeAlso
    makeOutput = output
    self.needs = needs
    self.isHidden = isHidden
  }
}

/// A command line that works when pasted, and what it does.
package typealias Example = (commandLine: String, explanation: String)

/// A heading under which help and manual list commands or options.
///
/// Those of several commands have a name: `extension Heading { static let access: Heading = "Access" }`.
package struct Heading: Sendable, Hashable, ExpressibleByStringLiteral {
  package let title: String

  package init(stringLiteral title: String) {
    self.title = title
  }

  package static let none: Heading = ""
}

/// What a command uses: the dispatcher prepares it, and exit codes follow from it.
package struct Needs: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package static let network = Needs(rawValue: 1)
  package static let terminal = Needs(rawValue: 2)
  /// The registration or a login, and with it the network.
  package static let session: Needs = [.network, Needs(rawValue: 4)]
}
