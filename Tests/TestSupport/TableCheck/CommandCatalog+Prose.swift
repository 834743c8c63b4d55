@testable import Arguments

// Prose names only what there is.
extension CommandCatalog {
  var proseProblems: [String] {
    let pages = visibleEntries.flatMap { entry in
      proseProblems(entry.page, entry.command, entry.page.name, entry.visibleSubcommands)
        + entry.visibleSubcommands.flatMap {
          proseProblems($0.page, $0, $0.path.joined(separator: " "), [])
        }
    }
    let all = commands.flatMap(\.options).flatMap(\.names) + globalNames
    let others =
      [(program.name, program.description)] + globals.map { ("--\($0.long)", $0.text) }
      + environment.map { ($0.name, $0.summary) } + files.map { ($0.name, $0.summary) }
      + exitCodes.map { ("exit code \($0.code)", "\($0.summary)\n\n\($0.advice)") }
    let ofTopics = topics.flatMap {
      problems(in: $0.text, at: $0.name, known: all + $0.otherOptions)
    }
    return pages + ofTopics + others.flatMap { problems(in: $0.1, at: $0.0, known: all) }
  }

  private func proseProblems(
    _ page: CommandInfo, _ command: CommandDoc?, _ place: String, _ subcommands: [CommandDoc]
  ) -> [String] {
    // A group speaks of the options of its subcommands too.
    let options = (command?.options ?? []) + subcommands.flatMap(\.options)
    let known = options.flatMap(\.names) + globalNames
    let texts =
      [page.summary, page.description, page.output?.json ?? ""] + page.examples.map(\.explanation)
      + (command?.options ?? []).flatMap { [$0.summary, $0.text] }
      + (command?.operands ?? []).map(\.summary)
    let missing = page.seeAlso.filter { reference($0) == nil }
    return texts.flatMap { problems(in: $0, at: place, known: known) }
      + missing.map { "\(place): refers to '\($0)', which does not exist" }
  }

  private var globalNames: [String] { globals.flatMap(\.names) + ["--help", "--version"] }

  private func problems(in text: String, at place: String, known: [String]) -> [String] {
    Prose(text).spans.flatMap { span -> [String] in
      switch span {
      case .text: []
      case .option(let name): unknown([name], known, place)
      case .code(let code): codeProblems(code, place, known)
      case .reference(let target):
        reference(target) == nil ? ["\(place): refers to '\(target)', which does not exist"] : []
      }
    }
  }

  /// Code that is a command line of ours is held to its own command's options.
  private func codeProblems(_ code: String, _ place: String, _ known: [String]) -> [String] {
    let words = ShellWords.commands(in: code).first ?? []
    guard words.first == program.name, words.count > 1 else {
      let names = Prose.spans(in: code).compactMap { span in
        if case .option(let name) = span { name } else { nil }
      }
      return unknown(names, known, place)
    }
    let syntax = SyntaxReader.read(words.dropFirst().map { Array($0.utf8) }, self)
    return syntax.error.map { ["\(place): '\(code)' is wrong: \($0.message)"] } ?? []
  }

  private func unknown(_ names: [String], _ known: [String], _ place: String) -> [String] {
    names.filter { !known.contains($0) }.map {
      "\(place): names '\($0)', which is not an option here"
    }
  }
}
