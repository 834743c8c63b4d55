/// Splits the command lines of examples as a shell does, as far as examples go.
///
/// Quotes, backslashes, pipes, lists, redirections, assignments before a command and `$(…)` are
/// understood; variables stay as they are, and so does anything fancier.
package struct ShellWords {
  private var rest: Substring
  private var commands: [[String]] = []
  private var words: [String] = []
  private var word: String?
  private var skipsWord = false

  /// The words of each simple command in a line, those within `$(…)` included.
  package static func commands(in line: String) -> [[String]] {
    var splitter = ShellWords(rest: line[...])
    splitter.split()
    return splitter.commands
  }

  private init(rest: Substring) {
    self.rest = rest
  }

  private mutating func split() {
    while let character = rest.popFirst() {
      switch character {
      case " ", "\t": endWord()
      case "|", "&", ";", "\n": endCommand()
      case "<", ">": redirect(character)
      case "'": quoteSingly()
      case "\"": quoteDoubly()
      case "\\": word = (word ?? "") + (rest.popFirst().map(String.init) ?? "")
      case "$" where rest.first == "(": substitute()
      case "#" where word == nil: rest = rest.drop { $0 != "\n" }
      default: word = (word ?? "") + String(character)
      }
    }
    endCommand()
  }

  private mutating func endWord() {
    guard let word else { return }
    self.word = nil
    if skipsWord {
      skipsWord = false
    } else if !words.isEmpty || !Self.isAssignment(word) {
      words.append(word)
    }
  }

  private mutating func endCommand() {
    endWord()
    if !words.isEmpty { commands.append(words) }
    words = []
    skipsWord = false
  }

  /// The target of a redirection is no word of the command; nor is a descriptor before it.
  private mutating func redirect(_ sign: Character) {
    if let number = word, number.allSatisfy(\.isNumber) { word = nil }
    endWord()
    while rest.first == sign || rest.first == "&" { rest.removeFirst() }
    skipsWord = true
  }

  private mutating func quoteSingly() {
    let body = rest.prefix { $0 != "'" }
    rest = rest[body.endIndex...].dropFirst()
    word = (word ?? "") + String(body)
  }

  private mutating func quoteDoubly() {
    word = word ?? ""
    while let character = rest.popFirst(), character != "\"" {
      switch character {
      case "\\": word?.append(rest.popFirst() ?? "\\")
      case "$" where rest.first == "(": substitute()
      default: word?.append(character)
      }
    }
  }

  /// `$(…)` is read as commands of its own, and stands in the word as "$(…)".
  private mutating func substitute() {
    var depth = 0
    var body = ""
    while let character = rest.popFirst() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { break }
      body.append(character)
    }
    commands += Self.commands(in: String(body.dropFirst()))
    word = (word ?? "") + "$(…)"
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let name = word.split(separator: "=", omittingEmptySubsequences: false).first,
      name.count < word.count, name.first?.isLetter == true || name.first == "_"
    else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
