/// What can be typed at one place of the command line, for completions.
struct CompletionScope {
  /// The words of the command: "", "token", "token decode".
  let path: String

  /// Commands that may come next, with their summaries.
  let words: [(name: String, summary: String)]

  /// The options of the command itself.
  let options: [OptionDoc]

  let operands: [OperandDoc]

  /// A name for shell functions: "token_decode".
  var identifier: String {
    String(path.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

extension CommandCatalog {
  /// The program, then each command with its subcommands behind it.
  var completionScopes: [CompletionScope] {
    let names = visibleEntries.map { (name: $0.page.name, summary: $0.page.summary) }
    let root = CompletionScope(path: "", words: names, options: [Self.version], operands: [])
    return [root] + visibleEntries.flatMap(scopes)
  }

  private func scopes(of entry: Entry) -> [CompletionScope] {
    let words = entry.visibleSubcommands.map { (name: $0.page.name, summary: $0.page.summary) }
    let first = CompletionScope(
      path: entry.page.name, words: words, options: visible(entry.command?.options ?? []),
      operands: entry.command?.operands ?? [])
    return [first]
      + entry.visibleSubcommands.map {
        CompletionScope(
          path: $0.path.joined(separator: " "), words: [], options: visible($0.options),
          operands: $0.operands)
      }
  }

  private func visible(_ options: [OptionDoc]) -> [OptionDoc] {
    options.sections.flatMap(\.options)
  }
}

extension OptionDoc {
  /// All forms: "-p", "--profile".
  var forms: [String] { (short.map { ["-\($0)"] } ?? []) + names }
}
