import Arguments
import Primitives

@testable import Commands

/// Whether a hint is a command line of this program that would run.
func isCommandLine(_ hint: String) -> Bool {
  guard let words = ShellWord.split(hint), words.first == "sdkctl" else { return false }
  guard case .run = commandTable.read(Array(words.dropFirst())).outcome else { return false }
  return true
}
