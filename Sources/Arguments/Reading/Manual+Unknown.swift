// What is said of words that are no commands.
extension Manual {
  func unknownSubcommand(_ word: String, of entry: Entry) -> Complaint {
    let name = entry.page.name
    let near = Suggestion.nearest(to: word, among: entry.visibleSubcommands.map(\.page.name))
    return Complaint(
      "unknown command \(Phrase.quoted("\(name) \(word)"))",
      suggestion: near.map { "\(name) \($0)" })
  }

  /// The error for a name that is neither in the table nor an external command nor an alias.
  ///
  /// `alsoKnown` are the external commands and aliases there are.
  package func unknownCommand(_ name: String, alsoKnown: [String] = []) -> UsageError {
    let near = Suggestion.nearest(
      to: name, among: visibleEntries.map(\.page.name) + alsoKnown)
    let complaint = Complaint("unknown command \(Phrase.quoted(name))", suggestion: near)
    return UsageError(complaint, path: [], program: program.name)
  }
}
