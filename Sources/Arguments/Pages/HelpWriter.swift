/// Writes the help of one command or topic.
struct HelpWriter {
  let manual: Manual

  /// Where the second column of a list begins, at most.
  private static let column = 28

  var text: PlainText { PlainText(manual: manual) }

  func help(on entry: Manual.Entry, _ length: HelpLength) -> String {
    let subcommands = entry.visibleSubcommands
    let forms = [entry.command].compactMap(\.self) + subcommands
    var lines = head(entry.page, forms, length)
    lines += section("Commands", subcommands.map { ($0.page.name, $0.page.summary) })
    if let command = entry.command { lines += takes(command, length) }
    lines += options("Global options", manual.documentedGlobals, .short)
    return finish(lines, entry.page, [entry.page.name], length)
  }

  func help(on command: Manual.CommandDoc, _ length: HelpLength) -> String {
    var lines = head(command.page, [command], length)
    lines += takes(command, length)
    lines += options("Global options", manual.documentedGlobals, .short)
    return finish(lines, command.page, command.path, length)
  }

  func help(on topic: Topic) -> String {
    let lines = [text.plain(topic.summary), ""] + text.lines(topic.text)
    return lines.map { $0 + "\n" }.joined()
  }

  /// A title and rows in two columns; nothing when there are no rows.
  func section(_ title: String, _ rows: [(String, String)]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widest = rows.map(\.0.count).filter { $0 + 4 <= Self.column }.max() ?? 0
    return ["", "\(title):"] + rows.flatMap { row($0.0, text.plain($0.1), column: widest + 4) }
  }

  /// Options by group, with their longer text when the help is long.
  func options(_ title: String, _ options: [OptionDoc], _ length: HelpLength) -> [String] {
    let visible = options.filter { !$0.isHidden }
    return visible.map(\.group).uniqued().flatMap { group -> [String] in
      let members = visible.filter { $0.group == group }
      let widest = members.map(\.label.count).filter { $0 + 4 <= Self.column }.max() ?? 0
      let rows = members.flatMap { option in
        row(option.label, text.plain(option.summary), column: widest + 4)
          + (length == .long ? details(option) : [])
      }
      return ["", "\(group?.title ?? title):"] + rows
    }
  }

  private func head(
    _ page: Page, _ forms: [Manual.CommandDoc], _ length: HelpLength
  ) -> [String] {
    var lines = [text.plain(page.summary), ""]
    for (index, form) in forms.enumerated() {
      let usage = index == 0 ? "Usage: " : "       "
      lines += text.wrapped(manual.usage(of: form), indent: 0, hanging: usage)
    }
    if length == .long { lines += [""] + text.lines(page.description) }
    return lines
  }

  private func takes(_ command: Manual.CommandDoc, _ length: HelpLength) -> [String] {
    section("Operands", command.operands.map { ($0.synopsis, $0.summary) })
      + options("Options", command.options, length)
  }

  private func finish(
    _ lines: [String], _ page: Page, _ path: [String], _ length: HelpLength
  ) -> String {
    var lines = lines
    if length == .long {
      lines += examples(page)
      if let json = page.json { lines += ["", "JSON:"] + text.lines(json, indent: 2) }
      let codes = manual.exitCodes(of: page)
      lines += section("Exit codes", codes.map { (String($0.code), $0.summary) })
      lines += seeAlso(page)
    } else {
      let name = ([manual.program.name] + path).joined(separator: " ")
      lines += ["", "See '\(name) --help' for more."]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func examples(_ page: Page) -> [String] {
    guard !page.examples.isEmpty else { return [] }
    return ["", "Examples:"]
      + page.examples.flatMap { example in
        text.wrapped(text.plain(example.explanation), indent: 2)
          + ["    \(example.commandLine)"]
      }
  }

  private func seeAlso(_ page: Page) -> [String] {
    let references = page.seeAlso.compactMap(manual.reference).map(manual.spoken)
    guard !references.isEmpty else { return [] }
    return ["", "See also:"] + text.wrapped(references.joined(separator: ", "), indent: 2)
  }

  private func details(_ option: OptionDoc) -> [String] {
    let prose = ([option.text] + manual.facts(option)).filter { !$0.isEmpty }
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
