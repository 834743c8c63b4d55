import Arguments

/// What a text tells a person, as its colour.
enum Tone: Sendable {
  case plain
  /// Something is wrong: red.
  case bad
  /// Something will be wrong: yellow.
  case warning

  private var code: String? {
    switch self {
    case .plain: nil
    case .bad: "31"
    case .warning: "33"
    }
  }

  /// The text in its colour if that is wanted, bold if it is a label.
  func coloured(_ text: String, if isWanted: Bool, isLabel: Bool = false) -> String {
    guard isWanted, let code, !text.isEmpty else { return text }
    return "\u{1b}[\(isLabel ? "1;" : "")\(code)m\(text)\u{1b}[0m"
  }
}

extension Context {
  var wantsColours: Bool { globals.color.isWanted(onTerminal: isTerminal, environment) }
}
