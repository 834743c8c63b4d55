import Arguments
import POSIX

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
        "sdkctl completion bash | install -Dm644 /dev/stdin ~/.local/share/bash-completion/completions/sdkctl",
        "For bash"
      ),
      (
        "sdkctl completion zsh | install -Dm644 /dev/stdin ~/.zfunc/_sdkctl",
        "For zsh, with ~/.zfunc in $fpath"
      ),
      (
        "sdkctl completion fish | install -Dm644 /dev/stdin ~/.config/fish/completions/sdkctl.fish",
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
