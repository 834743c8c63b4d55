import Arguments
import POSIX

/// `sdkctl completion` -- print the completion script of a shell.
enum CompletionScript: Command {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  static let page = CommandInfo(
    name: "completion", group: .tools, summary: "Print a shell's completion script",
    description: """
      Prints the script that completes commands, options, profiles and pinned hosts in that \
      shell. Packages install it; to try it, source it.
      """,
    examples: [
      (
        "d=~/.local/share/bash-completion/completions; mkdir -p $d && sdkctl completion bash > $d/sdkctl",
        "For bash"
      ),
      (
        "d=~/.zfunc; mkdir -p $d && sdkctl completion zsh > $d/_sdkctl",
        "For zsh, with $d in $fpath"
      ),
      (
        "d=~/.config/fish/completions; mkdir -p $d && sdkctl completion fish > $d/sdkctl.fish",
        "For fish"
      ),
    ])

  struct Arguments: CommandArguments {
    var shell = Shell.bash
  }

  static let operands: [Operand<Arguments>] = [
    .choice("SHELL", \.shell, "bash, zsh or fish")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    context.output.write(commandTable.catalog.completion(for: arguments.shell))
  }
}

extension CommandCatalog {
  func completion(for shell: CompletionScript.Shell) -> String {
    switch shell {
    case .bash: bashCompletion()
    case .zsh: zshCompletion()
    case .fish: fishCompletion()
    }
  }
}
