import Primitives
import SDKCore

extension ShellWord {
  /// A command of this program to paste, with every word quoted: hints and notes make their commands here.
  ///
  /// A word in capitals stands for what only the user knows.
  static func sdkctl(
    of profile: ProfileName? = nil, as user: UserID? = nil, _ words: any CustomStringConvertible...
  ) -> String {
    let program =
      ["sdkctl"] + (profile.map { ["-p", $0.description] } ?? [])
      + (user.map { ["--user-id", $0.description] } ?? [])
    return line(program + words.map(\.description))
  }
}

extension Context {
  /// The command line of this run with further options, to paste.
  func commandLine(adding options: String...) -> String {
    let words = ports.arguments
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return ShellWord.line(["sdkctl"] + words[..<end] + options + words[end...])
  }
}
