import Primitives

extension CommandCatalog {
  /// A completion script for bash 4.2 or newer, with or without the package bash-completion.
  ///
  /// Values of a dynamic kind come from `PROGRAM __complete KIND -- WORD...`, where the words are
  /// what was typed before the cursor.
  package func bashCompletion() -> String {
    let scopes = completionScopes
    let tables = [
      function("words", scopes.filter { !$0.words.isEmpty }.map(wordsCase)),
      function("options", scopes.map(optionsCase)),
      function("scope", scopes.flatMap(scopeCases), otherwise: "return 1"),
      function("kind", scopes.flatMap(kindCases) + documentedGlobals.compactMap(globalKindCase)),
      function("operand", scopes.flatMap(operandCases)),
    ]
    let head = "# bash completion for \(program.name), generated from its command table\n"
    return ([head] + tables + [BashScript.text(program.name)]).joined(separator: "\n")
  }

  /// A function that sets REPLY by matching its arguments, joined by a colon.
  private func function(_ name: String, _ cases: [String], otherwise: String? = nil) -> String {
    let rest = otherwise.map { ["    *) \($0) ;;"] } ?? []
    let lines =
      ["_\(program.identifier)_\(name)() {", "  REPLY=", "  case \"$1${2+:$2}\" in"]
      + cases.map { "    \($0) ;;" } + rest + ["  esac", "}"]
    return lines.map { $0 + "\n" }.joined()
  }

  private func wordsCase(_ scope: CompletionScope) -> String {
    answer(ShellWord.singleQuoted(scope.path), scope.words.map(\.name).joined(separator: " "))
  }

  private func optionsCase(_ scope: CompletionScope) -> String {
    let names = (scope.options + documentedGlobals).flatMap(\.forms)
    return answer(ShellWord.singleQuoted(scope.path), names.joined(separator: " "))
  }

  private func scopeCases(_ scope: CompletionScope) -> [String] {
    scope.words.map { word in
      answer(
        ShellWord.singleQuoted("\(scope.path):\(word.name)"),
        scope.path.isEmpty ? word.name : "\(scope.path) \(word.name)")
    }
  }

  private func kindCases(_ scope: CompletionScope) -> [String] {
    scope.options.filter(\.takesValue).map { option in
      let patterns = option.forms.map { ShellWord.singleQuoted("\(scope.path):\($0)") }
      return answer(patterns.joined(separator: " | "), option.completion.bashKind)
    }
  }

  private func globalKindCase(_ option: OptionDoc) -> String? {
    guard option.takesValue else { return nil }
    let patterns = option.forms.map { "*\(ShellWord.singleQuoted(":\($0)"))" }
    return answer(patterns.joined(separator: " | "), option.completion.bashKind)
  }

  private func operandCases(_ scope: CompletionScope) -> [String] {
    scope.operands.enumerated().flatMap { index, operand -> [String] in
      let here = ShellWord.singleQuoted("\(scope.path):\(index)")
      let later = ShellWord.singleQuoted("\(scope.path):") + "*"
      if operand.arity == .verbatim { return [answer(here, "command"), answer(later, "file")] }
      return [answer(operand.isMany ? later : here, operand.completion.bashKind)]
    }
  }

  private func answer(_ pattern: String, _ reply: String) -> String {
    "\(pattern)) REPLY=\(ShellWord.singleQuoted(reply))"
  }
}

extension Program {
  /// The name as part of a shell function's name.
  var identifier: String {
    String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

extension Completion {
  fileprivate var bashKind: String {
    switch self {
    case .none: "none"
    case .file: "file"
    case .directory: "directory"
    case .alternatives(let choices): (["choices"] + choices.values).joined(separator: " ")
    case .dynamic(let kind): "dynamic \(kind)"
    }
  }
}
