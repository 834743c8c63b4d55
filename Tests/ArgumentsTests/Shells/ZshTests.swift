import TestSupport

@Suite struct ZshTests {
  /// Types lines at the prompt of a zsh of its own and notes what it would insert.
  private static let driver = #"""
    zmodload zsh/zpty
    zpty driver zsh -f -i
    zpty -w driver 'PS1= ; '"$2"'
    compadd() {
      if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
      local -a hits
      builtin compadd -A hits "$@"
      local hit prefix="" index=${@[(i)-p]}
      ((index < $#)) && prefix=${@[index + 1]}
      for hit in $hits; do print -r -- "$IPREFIX$prefix${(Q)hit}" >>$CAPTURE; done
      builtin compadd "$@"
    }
    capture() { _main_complete; compstate[insert]= compstate[list]=; print -r -- "DONE""1"; }
    zle -C capture complete-word capture; bindkey "^X" capture; print -r -- "READY""1"'
    zpty -r driver output '*READY1*'
    zpty -w -n driver "$1"$'\C-x'
    zpty -r driver output '*DONE1*'
    zpty -d driver
    [[ -f $CAPTURE ]] && cat $CAPTURE
    """#

  @Test(
    "offers the completions of the table", .enabled(if: Program.isExpected("zsh"), "needs zsh"),
    arguments: CompletionCase.all)
  func offers(_ example: CompletionCase) throws {
    let dump = try Self.found.get().file("dump")
    let source = "autoload -Uz compinit; compinit -C -u -d '\(dump)'; source ./_demo"
    let lines = try Self.offers(example.line, source)
    let words = Set(lines).map { line in
      line.hasPrefix("--") ? line.split(separator: "=").last.map(String.init) ?? line : line
    }
    #expect(words.sorted() == example.offers)
  }

  @Test(.enabled(if: Program.isExpected("zsh"), "needs zsh")) func worksFromTheFunctionPathToo()
    throws
  {
    let autoload = "fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u"
    #expect(try Self.offers("demo pin ", autoload) == ["add", "show"])
  }

  /// A folder with what compinit finds on this machine: it takes a second to look.
  private static let found = Result {
    let folder = try TemporaryFolder()
    _ = try Workshop(asking: []).run(
      "zsh", ["-f", "-c", "autoload -Uz compinit; compinit -u -d '\(folder.file("dump"))'"])
    return folder
  }

  private static func offers(_ line: String, _ preparation: String) throws -> [String] {
    try Workshop(asking: [line]).run(
      "timeout", ["30", "zsh", "-f", "-c", driver, "zsh", line, preparation])
  }
}
