// Errors for unknown commands.
extension CommandCatalog {
  func unknownSubcommand(_ word: String, of entry: Entry) -> UsageError {
    let name = entry.page.name
    let near = Suggestion.nearest(to: word, among: entry.visibleSubcommands.map(\.page.name))
    var error = UsageError(
      "unknown command \(Phrase.quoted("\(name) \(word)"))",
      suggestion: near.map { "\(name) \($0)" }, advice: advice([name, word]))
    error.isUnknownCommand = true
    return error
  }

  /// The error for a name that is neither in the table nor an external command nor an alias.
  ///
  /// `alsoKnown` are the external commands and aliases there are; `following` is the word behind the name.
  package func unknownCommand(
    _ name: String, alsoKnown: [String] = [], following: String? = nil
  ) -> UsageError {
    let near =
      onlyOwner(of: name).map { "\($0) \(name)" }
      ?? Suggestion.nearest(to: name, among: visibleEntries.map(\.page.name) + alsoKnown)
    return UsageError(
      "unknown command \(Phrase.quoted(name))", suggestion: near,
      advice: following.flatMap { $0.hasPrefix("-") ? nil : advice([name, $0]) } ?? advice([name])
    ).of([], program)
  }

  /// The command that alone has a subcommand of that name.
  private func onlyOwner(of name: String) -> String? {
    let owners = visibleEntries.filter { entry in
      entry.visibleSubcommands.contains { $0.page.name == name }
    }
    return owners.count == 1 ? owners[0].page.name : nil
  }
}
