@testable import Arguments

// Names and summaries.
extension CommandCatalog {
  var nameProblems: [String] {
    let words = Self.repeated(entries.map(\.page.name)).map { "two commands are named '\($0)'" }
    let below = entries.flatMap { entry in
      Self.repeated(entry.subcommands.map(\.page.name)).map {
        "\(entry.page.name): two subcommands are named '\($0)'"
      }
    }
    let subjects = Self.repeated(topics.map(\.name) + entries.map(\.page.name)).filter { name in
      topics.contains { $0.name == name }
    }
    let others = entries.filter { $0.name != $0.page.name }.map {
      "\($0.page.name): it is found as '\($0.name)'"
    }
    return words + below + others + subjects.map { "the topic '\($0)' is named twice" }
      + globalClashes.map { "\(program.name): the option '\($0)' is there twice" }
      + commands.flatMap { command in
        clashes(command.options).map {
          "\(command.path.joined(separator: " ")): the option '\($0)' is there twice"
        }
      }
  }

  private static let reserved = ["-h", "--help"]

  private var globalClashes: [String] {
    Self.repeated(globals.flatMap(\.forms) + Self.reserved + ["--version"])
  }

  /// Forms of a command's options that mean two things, among them and the global ones.
  private func clashes(_ options: [OptionDoc]) -> [String] {
    let forms = (globals + options).flatMap(\.forms)
    return Self.repeated(Self.reserved + forms).filter { !globalClashes.contains($0) }
  }

  var summaryProblems: [String] {
    let pages = placedPages.map { ($0.place, $0.page.summary) }
    let options = commands.flatMap { command in
      command.options.map { ("\(command.path.joined(separator: " ")) --\($0.long)", $0.summary) }
        + command.operands.map { ("\(command.path.joined(separator: " ")) \($0.name)", $0.summary) }
    }
    let others =
      globals.map { ("--\($0.long)", $0.summary) } + topics.map { ($0.name, $0.summary) }
      + [(program.name, program.summary)]
    return (pages + options + others).flatMap { place, summary -> [String] in
      var problems: [String] = []
      if summary.isEmpty { problems.append("\(place): no summary") }
      if summary.count > 60 { problems.append("\(place): the summary is longer than 60 columns") }
      if summary.hasSuffix(".") { problems.append("\(place): the summary ends with a period") }
      return problems
    }
  }

  static func repeated(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { !seen.insert($0).inserted }.uniqued()
  }
}
