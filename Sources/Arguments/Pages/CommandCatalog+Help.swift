// Help for a terminal of 80 columns.
extension CommandCatalog {
  /// Help on a command, or on the program for an empty path; nil if there is no such command.
  package func help(_ path: [String], _ length: HelpLength) -> String? {
    guard !path.isEmpty else { return length == .short ? commandList() : mainHelp() }
    return entry(at: path).map { HelpWriter(catalog: self).help(on: $0, length) }
  }

  /// What `help WORDS` shows: a command, or a topic; else an error with a suggestion.
  package func help(about words: [String]) throws(UsageError) -> String {
    if let text = help(words, .long) { return text }
    if words.count == 1, let topic = topics.first(where: { $0.name == words[0] }) {
      return HelpWriter(catalog: self).help(on: topic)
    }
    if words == ["topics"] {
      return topicLines(HelpWriter(catalog: self)).dropFirst().map { $0 + "\n" }.joined()
    }
    if words.count > 2, help(words.dropLast(), .long) != nil {
      let known = words.dropLast().joined(separator: " ")
      throw UsageError(
        "no help on \(Phrase.quoted(words.joined(separator: " ")))",
        suggestion: "\(program.name) help \(known)"
      ).of([words[0]], program)
    }
    if words.count > 1, let entry = entry(words[0]), !entry.subcommands.isEmpty {
      throw unknownSubcommand(words.dropFirst().joined(separator: " "), of: entry)
        .of([words[0]], program)
    }
    let word = words.joined(separator: " ")
    throw UsageError(
      "no help on \(Phrase.quoted(word))",
      suggestion: Suggestion.nearest(to: word, among: subjects).map {
        "\(program.name) help \($0)"
      },
      advice: advice(words)
    ).of([], program)
  }

  /// The commands by group, the topics, the global options.
  ///
  /// With `isComplete`, as `help -a`, subcommands, external commands and aliases are listed too.
  package func mainHelp(
    isComplete: Bool = false, externals: [String] = [],
    aliases: [(name: String, expansion: String)] = []
  ) -> String {
    let writer = HelpWriter(catalog: self)
    let name = program.name
    var lines = commandLines(writer, isComplete: isComplete)
    if isComplete {
      lines += writer.section(
        "External commands (\(name)-NAME on PATH)", externals.map { ($0, "") })
      lines += writer.section("Aliases", aliases.map { ($0.name, $0.expansion) })
    }
    lines += topicLines(writer)
    lines += writer.options("Global options", (documentedGlobals + versionOption).sections, .short)
    lines += writer.section("Exit codes", exitCodes.map { (String($0.code), $0.summary) })
    lines += ["", "See '\(name) help COMMAND' or '\(name) help TOPIC' for more."]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The short help of the program: what to do first, then its commands by group, with few empty lines to fit
  /// one screen.
  private func commandList() -> String {
    let writer = HelpWriter(catalog: self)
    let complete = commandLines(writer, isComplete: false)
    var lines: [String] = complete[..<3].filter { !$0.isEmpty }
    lines += writer.examples(program.examples.prefix(3), under: "First") + [""]
    lines += complete[3...].filter { !$0.isEmpty }
    lines.append("See '\(program.name) --help' for topics and options.")
    return lines.map { $0 + "\n" }.joined()
  }

  private func topicLines(_ writer: HelpWriter) -> [String] {
    writer.section("Topics of '\(program.name) help'", topics.map { ($0.name, $0.summary) })
  }

  private func commandLines(_ writer: HelpWriter, isComplete: Bool) -> [String] {
    let name = program.name
    var lines = ["\(name) - \(writer.text.plain(program.summary))", ""]
    lines += ["Usage: \(name) [OPTIONS] COMMAND [ARGUMENTS]"]
    for group in visibleEntries.map(\.page.group).uniqued() {
      let entries = visibleEntries.filter { $0.page.group == group }
      let rows = entries.flatMap { entry in
        [(entry.page.name, entry.page.summary)]
          + (isComplete ? entry.visibleSubcommands : []).map {
            ($0.path.joined(separator: " "), $0.page.summary)
          }
      }
      lines += writer.section(group == .none ? "Commands" : group.title, rows)
    }
    return lines
  }
}

extension Array where Element: Hashable {
  /// The elements in order, each once.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
