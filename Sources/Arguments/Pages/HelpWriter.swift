struct HelpWriter {
  let catalog: CommandCatalog

  /// The maximum start of the second column of a list.
  private static let column = 28

  var text: PlainText { PlainText(catalog: catalog) }

  /// The lines that short help has at most, and the examples and options among them.
  private static let (screen, exampleCount, optionCount) = (40, 3, 10)

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

  func help(on entry: CommandCatalog.Entry, _ length: HelpLength) -> String {
    let (page, command, subcommands) = (entry.page, entry.command, entry.visibleSubcommands)
    let name = ([catalog.program.name] + entry.path).joined(separator: " ")
    let lists = subcommands.isEmpty ? [] : ["\(name) COMMAND [OPTIONS] [ARGUMENTS]"]
    let usage = (command.map { [catalog.usage(of: $0)] } ?? []) + lists
    var lines = [text.plain(page.summary), ""]
    for (index, form) in usage.enumerated() {
      lines += text.wrapped(form, indent: 0, hanging: index == 0 ? "Usage: " : "       ")
    }
    let commands = section("Commands", subcommands.map { ($0.page.name, $0.page.summary) })
    let operands = section("Operands", (command?.operands ?? []).map { ($0.synopsis, $0.summary) })
    if length == .short {
      lines += examples(page.examples.prefix(Self.exampleCount)) + operands
      let end = commands + ["", "See '\(name) --help' for all options and examples."]
      lines += firstOptions(command, Self.screen - lines.count - end.count) + end
    } else {
      let (lead, details) = Prose(page.description).lead
      lines += [""] + text.lines(lead) + examples(page.examples[...]) + commands + operands
      lines += options("Options", command?.options.sections ?? [], .long)
      if !details.isEmpty { lines += ["", "Details:"] + text.lines(details, indent: 2) }
      lines += finish(page)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The first options, as many as fit, and the names of the others.
  private func firstOptions(_ command: CommandCatalog.CommandDoc?, _ room: Int) -> [String] {
    let all = (command?.options.sections ?? []).flatMap(\.options)
    for count in stride(from: min(all.count, Self.optionCount), to: 0, by: -1) {
      let section = OptionSection(heading: nil, options: Array(all.prefix(count)))
      let others = all.dropFirst(count).map { "--\($0.long)" }.joined(separator: ", ")
      let lines =
        options("Options", [section], .short) + text.wrapped(others, indent: 2, hanging: "Others: ")
      if lines.count <= room { return lines }
    }
    return []
  }

  private func finish(_ page: CommandInfo) -> [String] {
    var lines: [String] = []
    if let json = page.output?.json { lines += ["", "JSON:"] + text.lines(json, indent: 2) }
    let codes = catalog.exitCodes.filter { page.exitCodes.contains($0.code) }
    lines += section("Exit codes", codes.map { (String($0.code), $0.summary) })
    lines += seeAlso(page)
    return lines + ["", "Global options and exit codes: '\(catalog.program.name) help'."]
  }

  func examples(
    _ examples: ArraySlice<Example>, under title: String = "Examples"
  ) -> [String] {
    ["", "\(title):"]
      + examples.flatMap { example in
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
    let lines = text.wrapped(summary, indent: column)
    guard label.count + 4 <= column, let first = lines.first else { return ["  \(label)"] + lines }
    let gap = String(repeating: " ", count: column - label.count - 2)
    return ["  \(label)\(gap)\(first.dropFirst(column))"] + lines.dropFirst()
  }
}
