// What the table knows beyond its prose, in words.
extension OptionDoc {
  /// The first column of a list: "-p, --profile NAME", "    --[no-]browser".
  var label: String {
    let letter = short.map { "-\($0), " } ?? "    "
    let name = isNegatable ? "--[no-]\(long)" : "--\(long)"
    return letter + name + (valueName.map { " \($0)" } ?? "")
  }
}

extension CommandCatalog {
  /// The command line of a command, options summed up: "sdkctl pin add [OPTIONS] HOST...".
  func usage(of command: CommandDoc) -> String {
    let words = [program.name] + command.path + ["[OPTIONS]"]
    return (words + command.operands.map(\.synopsis)).joined(separator: " ")
  }

  /// Sentences on choices, repetition and environment, as prose.
  func notes(_ option: OptionDoc) -> [String] {
    var notes: [String] = []
    if case .choices(let choices) = option.completion, let name = option.valueName {
      notes.append("\(name) is \(Phrase.alternatives(choices.map { "`\($0)`" })).")
    }
    switch option.repetition {
    case .append: notes.append("May be given more than once.")
    case .count: notes.append("Give it again for more.")
    case .once, .last: break
    }
    if !option.needs.isEmpty {
      notes.append("Needs \(Phrase.alternatives(option.needs.map { "`--\($0)`" })).")
    }
    if !option.excludes.isEmpty {
      notes.append("Not with \(Phrase.alternatives(option.excludes.map { "`--\($0)`" })).")
    }
    if let variable = option.environment { notes.append("Environment: `\(variable)`.") }
    return notes
  }

  /// The rows of the exit codes of a command, in the order of the table.
  func exitCodes(of page: CommandInfo) -> [ExitCodeRow] {
    exitCodes.filter { row in
      row.needs.map { page.needs.isSuperset(of: $0) } == true || page.exitCodes.contains(row.code)
    }
  }
}

extension Topic {
  /// A topic made of the rows of the exit codes, after an introduction.
  package static func exitCodes(
    name: String = "exit-codes", summary: String, introduction: String, _ rows: [ExitCodeRow]
  ) -> Topic {
    let items = rows.map { row in
      "* `\(row.code)` (\(row.name)): \(row.summary)."
        + (row.advice.isEmpty ? "" : " A script \(row.advice).")
    }
    return Topic(
      name: name, summary: summary,
      text: introduction + "\n\n" + items.joined(separator: "\n"))
  }

  /// A topic made of the rows of the environment, after an introduction.
  package static func environment(
    name: String = "environment", summary: String, introduction: String,
    _ rows: [DocRow]
  ) -> Topic {
    let items = rows.map { row in
      // A row may have several names.
      let names = row.name.split(separator: ",").map { "`\($0.drop { $0 == " " })`" }
      return "* \(names.joined(separator: ", ")): \(row.summary)."
    }
    return Topic(
      name: name, summary: summary,
      text: introduction + "\n\n" + items.joined(separator: "\n"))
  }
}
