import Primitives

extension CommandCatalog {
  /// A completion script for zsh, to be found in `fpath` as `_PROGRAM` or to be sourced.
  package func zshCompletion() -> String {
    let name = program.identifier
    let scopes = completionScopes
    let globals = documentedGlobals.flatMap { specs($0, []) }
    let lists = scopes.filter { !$0.words.isEmpty }.map(wordList)
    return """
      #compdef \(program.name)
      # zsh completion for \(program.name), generated from its command table

      _\(name)() {
        local -a typed=("${(@Q)words[1,CURRENT-1]}")
        local -a globals=(
      \(globals.map { "    \($0)\n" }.joined())  )
        _\(name)_at_
      }

      \(ZshScript.dynamic(name))
      \((lists + scopes.map(function)).joined(separator: "\n"))
      if [[ $funcstack[1] == _\(name) ]]; then
        _\(name) "$@"
      else
        compdef _\(name) \(program.name)
      fi

      """
  }

  /// The function that offers the commands of a scope.
  private func wordList(_ scope: CompletionScope) -> String {
    let rows = scope.words.map { word in
      ShellWord.singleQuoted("\(word.name):\(ShellWord.escaping(":\\", in: word.summary))")
    }
    let externals =
      scope.path.isEmpty
      ? "  names+=(${${(k)commands[(I)\(program.name)-*]}#\(program.name)-})\n" : ""
    return """
      _\(program.identifier)_words_\(scope.identifier)() {
        local -a names=(
      \(rows.map { "    \($0)\n" }.joined())  )
      \(externals)  _describe -t commands command names
      }

      """
  }

  /// The function that completes everything behind the words of a scope.
  private func function(_ scope: CompletionScope) -> String {
    let name = program.identifier
    let own = scope.options.flatMap { specs($0, scope.options) }
    let start = "_\(name)_at_\(scope.identifier)() {\n"
    guard !scope.words.isEmpty else {
      let arguments = (own + operandSpecs(scope)).map { " \\\n    \($0)" }.joined()
      return start + "  _arguments -s -S $globals\(arguments)\n}\n"
    }
    let arguments = own.map { " \\\n    \($0)" }.joined()
    let branches = scope.words.map { word in
      let next = scope.path.isEmpty ? word.name : "\(scope.path)_\(word.name)"
      let function = String(next.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      return "      \(word.name)) _\(name)_at_\(function) && result=0 ;;\n"
    }
    let otherwise = scope.path.isEmpty ? "      *) _default && result=0 ;;\n" : ""
    return start + """
        local curcontext="$curcontext" context state state_descr line result=1
        local -A opt_args
        _arguments -C -s -S -A "-*" $globals\(arguments) \\
          '1: :_\(name)_words_\(scope.identifier)' \\
          '*:: :->rest' && result=0
        if [[ $state == rest ]]; then
          curcontext="${curcontext%:*:*}:\(program.name)-$words[1]:"
          case $words[1] in
      \(branches.joined())\(otherwise)    esac
        fi
        return result
      }

      """
  }

  /// The specifications of one option, one for each form.
  private func specs(_ option: OptionDoc, _ siblings: [OptionDoc]) -> [String] {
    let rivals = siblings.filter {
      $0.exclusiveSet != nil && $0.exclusiveSet == option.exclusiveSet && $0.long != option.long
    }
    let isRepeatable = option.repetition == .append || option.repetition == .count
    let excluded = isRepeatable ? [] : ([option] + rivals).flatMap(\.forms)
    let lead = isRepeatable ? "*" : "(\(excluded.joined(separator: " ")))"
    let summary = ShellWord.escaping("[]\\:", in: option.summary)
    let value = option.valueName.map { ":\($0):\(option.completion.zshAction(program))" } ?? ""
    return option.forms.map { form in
      let ending = option.takesValue ? (form.hasPrefix("--") ? "=" : "+") : ""
      return ShellWord.singleQuoted("\(lead)\(form)\(ending)[\(summary)]\(value)")
    }
  }

  private func operandSpecs(_ scope: CompletionScope) -> [String] {
    scope.operands.enumerated().flatMap { index, operand -> [String] in
      if operand.arity == .verbatim {
        return ["'(-)\(index + 1):\(operand.name):_command_names -e'", "'*::arguments:_normal'"]
      }
      let position = operand.isMany ? "*" : operand.isRequired ? "\(index + 1)" : "\(index + 1):"
      return [
        ShellWord.singleQuoted(
          "\(position):\(operand.name):\(operand.completion.zshAction(program))")
      ]
    }
  }
}

extension Completion {
  fileprivate func zshAction(_ program: Program) -> String {
    switch self {
    case .none: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .alternatives(let choices): "(\(choices.values.joined(separator: " ")))"
    case .dynamic(let kind): "_\(program.identifier)_dynamic \(kind)"
    }
  }
}

/// The part of the zsh completion that does not depend on the table.
private enum ZshScript {
  static func dynamic(_ name: String) -> String {
    #"""
    # Offers what the program itself knows. The last argument is the kind of value.
    _\#(name)_dynamic() {
      local -a values
      local self=${typed[1]/#\~\//$HOME/}
      values=(${(f)"$("$self" __complete "$@[-1]" -- "${(@)typed[2,-1]}" 2>/dev/null </dev/null)"})
      compadd "${(@)@[1,-2]}" -a values
    }

    """#
  }
}
