/// Writes the help of one command or topic.
struct HelpWriter {
  let catalog: CommandCatalog

  /// The maximum start of the second column of a list.
  private static let column = 28

  var text: PlainText { PlainText(catalog: catalog) }

  func help(on entry: CommandCatalog.Entry, _ length: HelpLength) -> String {
    let subcommands = entry.visibleSubcommands
    var lines = head(entry.page, usage(of: entry, length), length)
    if length == .short, entry.command != nil, !subcommands.isEmpty {
      // Its own options need the space; the long help says what each of them does.
      let names = subcommands.map(\.page.name).joined(separator: ", ")
      lines += [""] + text.wrapped(names, indent: 0, hanging: "Commands: ")
    } else {
      lines += section("Commands", subcommands.map { ($0.page.name, $0.page.summary) })
    }
    if let command = entry.command { lines += takes(command, length) }
    return finish(lines, entry.page, [entry.page.name], length)
  }

  func help(on command: CommandCatalog.CommandDoc, _ length: HelpLength) -> String {
    var lines = head(command.page, [catalog.usage(of: command)], length)
    lines += takes(command, length)
    return finish(lines, command.page, command.path, length)
  }

  func help(on topic: Topic) -> String {
    let lines = [text.plain(topic.summary), ""] + text.lines(topic.text)
    return lines.map { $0 + "\n" }.joined()
  }

  /// A title and rows in two columns; nothing when there are no rows.
  func section(_ title: String, _ rows: [(String, String)]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widest = rows.map(\.0.count).filter { $0 + 4 <= Self.column }.max() ?? 6
    return ["", "\(title):"] + rows.flatMap { row($0.0, text.plain($0.1), column: widest + 4) }
  }

  /// Options under their headings, or under `title`; with their longer text in long help.
  func options(_ title: String, _ sections: [OptionSection], _ length: HelpLength) -> [String] {
    sections.flatMap { section -> [String] in
      let widest = section.options.map(\.label.count).filter { $0 + 4 <= Self.column }.max() ?? 6
      let rows = section.options.flatMap { option in
        row(option.label, text.plain(option.summary), column: widest + 4)
          + (length == .long ? details(option) : [])
      }
      return ["", "\(section.heading?.title ?? title):"] + rows
    }
  }

  /// The command lines of a command with subcommands; short help sums the subcommands up.
  private func usage(of entry: CommandCatalog.Entry, _ length: HelpLength) -> [String] {
    let own = entry.command.map { [catalog.usage(of: $0)] } ?? []
    let subcommands = entry.visibleSubcommands
    guard length == .short else { return own + subcommands.map(catalog.usage) }
    let name = "\(catalog.program.name) \(entry.page.name)"
    return own + (subcommands.isEmpty ? [] : ["\(name) COMMAND [OPTIONS] [ARGUMENTS]"])
  }

  private func head(_ page: CommandInfo, _ usage: [String], _ length: HelpLength) -> [String] {
    var lines = [text.plain(page.summary), ""]
    for (index, form) in usage.enumerated() {
      lines += text.wrapped(form, indent: 0, hanging: index == 0 ? "Usage: " : "       ")
    }
    if length == .long { lines += [""] + text.lines(page.description) }
    return lines
  }

  /// Operands and options; short help shows the first section only.
  private func takes(_ command: CommandCatalog.CommandDoc, _ length: HelpLength) -> [String] {
    section("Operands", command.operands.map { ($0.synopsis, $0.summary) })
      + options(
        "Options", Array(command.options.sections.prefix(length == .short ? 1 : .max)), length)
  }

  private func finish(
    _ lines: [String], _ page: CommandInfo, _ path: [String], _ length: HelpLength
  ) -> String {
    var lines = lines
    if length == .long {
      lines += examples(page)
      if let json = page.json { lines += ["", "JSON:"] + text.lines(json, indent: 2) }
      let codes = catalog.exitCodes.filter { page.exitCodes.contains($0.code) }
      lines += section("Exit codes", codes.map { (String($0.code), $0.summary) })
      lines += seeAlso(page)
      lines += ["", "Global options and exit codes: '\(catalog.program.name) help'."]
    } else {
      let name = ([catalog.program.name] + path).joined(separator: " ")
      lines += ["", "See '\(name) --help' for all options and examples."]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func examples(_ page: CommandInfo) -> [String] {
    guard !page.examples.isEmpty else { return [] }
    return ["", "Examples:"]
      + page.examples.flatMap { example in
        text.wrapped(text.plain(example.explanation), indent: 2)
          + ["    \(example.commandLine)"]
      }
  }

  private func seeAlso(_ page: CommandInfo) -> [String] {
    let references = page.seeAlso.compactMap(catalog.reference).map(catalog.commandText)
    guard !references.isEmpty else { return [] }
    return ["", "See also:"] + text.wrapped(references.joined(separator: ", "), indent: 2)
  }

  private func details(_ option: OptionDoc) -> [String] {
    let prose = ([option.text] + catalog.notes(option)).filter { !$0.isEmpty }
    return text.lines(prose.joined(separator: " "), indent: 10)
  }

  private func row(_ label: String, _ summary: String, column: Int) -> [String] {
    guard !summary.isEmpty else { return ["  \(label)"] }
    let lines = text.wrapped(summary, indent: column)
    guard label.count + 4 <= column, let first = lines.first else { return ["  \(label)"] + lines }
    let gap = String(repeating: " ", count: column - label.count - 2)
    return ["  \(label)\(gap)\(first.dropFirst(column))"] + lines.dropFirst()
  }
}
