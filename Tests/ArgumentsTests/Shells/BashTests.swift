import Foundation
import TestSupport

@Suite struct BashTests {
  /// Completes the line as readline does: words split at blanks, `=` and `:`.
  private static let driver = #"""
    source ./demo.bash
    IFS=x
    COMP_LINE=$1 COMP_POINT=${#1}
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _demo 2>&1
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  @Test(
    "offers the completions of the table", .enabled(if: Program.isExpected("bash"), "needs bash"),
    arguments: CompletionCase.all)
  func offers(_ example: CompletionCase) throws {
    let words = Self.words(example.line)
    let lines = try Workshop(asking: [example.line]).run(
      "bash", ["-uc", Self.driver, "bash", example.line] + words)
    let head = Self.head(example.line)
    #expect(lines.filter { !$0.isEmpty }.map { head + $0 }.sorted() == example.offers)
  }

  /// Types keys at the prompt of a real bash and lets the completed line run.
  private static let typist = #"""
    zmodload zsh/zpty
    zpty shell bash --norc --noprofile -i
    zpty -w shell "PS1= ; $2 source ./demo.bash; echo READY''1"
    zpty -r shell output '*READY1*'
    zpty -w shell "$1"
    zpty -w shell "echo DONE''1"
    zpty -r shell output '*DONE1*'
    zpty -d shell
    cat $CAPTURE
    """#

  @Test(
    "completes at a prompt, with and without the package bash-completion",
    .enabled(if: Program.isExpected("bash") && Program.isExpected("zsh"), "needs bash and zsh"),
    arguments: [
      Typing("demo --profile=h\t", "<--profile=home>", ["demo --profile=h"]),
      Typing(
        "demo -p wo\t-e\t tok\tdec\t", "<-p><work-eu><token><decode>",
        ["demo -p wo", "demo -p work-e", "demo -p work-eu tok", "demo -p work-eu token dec"]),
      Typing(
        "demo pin show a.ex\t3\t", "<pin><show><a.example:443>",
        ["demo pin show a.ex", "demo pin show a.example:443"]),
      Typing(
        "demo fetch --outp\tfiles/sec\t /x", "<fetch><--output><files/second one></x>",
        ["demo fetch --outp", "demo fetch --output files/sec"]),
      Typing(
        "demo fetch --output=files/sec\t", "<fetch><--output=files/second one>",
        ["demo fetch --output=files/sec"]),
      Typing(
        "demo __set mo\tf\t", "<__set><mode=fast>", ["demo __set mo", "demo __set mode=f"]),
      Typing("demo __set na\tx", "<__set><name=x>", ["demo __set na"]),
    ], ["", "source /usr/share/bash-completion/bash_completion;"])
  func atAPrompt(typed: Typing, preparation: String) throws {
    let lines = try Workshop(asking: typed.questions).run(
      "timeout", ["30", "zsh", "-f", "-c", Self.typist, "zsh", typed.keys, preparation])
    #expect(lines.last == typed.words, "\(lines)")
  }

  /// The words that readline would hand over, the last one included even if empty.
  private static func words(_ line: String) -> [String] {
    var words = [""]
    for character in line {
      switch character {
      case " ": words.append("")
      case "=", ":":
        if words.last?.isEmpty == true { words.removeLast() }
        words += [String(character), ""]
      default: words[words.count - 1].append(character)
      }
    }
    if words.last == "", let before = words.dropLast().last, before == "=" || before == ":" {
      words.removeLast()
    }
    return words
  }

  /// What readline keeps of the last word: everything up to `:`; the option of `--x=` is not told.
  private static func head(_ line: String) -> String {
    let word = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    guard let colon = word.lastIndex(of: ":") else { return "" }
    return String(word[...colon])
  }
}

/// Keys that a person types, the words that the program then gets, and the lines that are completed.
struct Typing: Sendable, CustomTestStringConvertible {
  let keys: String
  let words: String
  let questions: [String]

  var testDescription: String { keys }

  init(_ keys: String, _ words: String, _ questions: [String]) {
    self.keys = keys
    self.words = words
    self.questions = questions
  }
}
