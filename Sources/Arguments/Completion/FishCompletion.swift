extension CommandCatalog {
  /// A completion script for fish 3.1 or newer.
  package func fishCompletion() -> String {
    let scopes = completionScopes
    let lines =
      ["complete -c \(program.name) -f"]
      + documentedGlobals.flatMap { optionLines($0, condition: nil) }
      + scopes.flatMap(lines)
      + [line("__\(program.identifier)_at external", ["-F"])]
    return FishScript(catalog: self).text(scopes) + lines.map { $0 + "\n" }.joined()
  }

  private func lines(_ scope: CompletionScope) -> [String] {
    let here = "__\(program.identifier)_at \(quoted(scope.path))"
    let words = scope.words.map { word in
      line("\(here) 0", ["-a", quoted(word.name), "-d", quoted(word.summary)])
    }
    let externals =
      scope.path.isEmpty ? [line("\(here) 0", ["-a", "'(__\(program.identifier)_external)'"])] : []
    let options = scope.options.flatMap { optionLines($0, condition: here) }
    let operands = scope.operands.enumerated().flatMap { index, operand -> [String] in
      if operand.arity == .verbatim {
        return [
          line("\(here) \(index)", ["-a", "'(__fish_complete_command)'"]), line(here, ["-F"]),
        ]
      }
      let offer = operand.completion.fishOffer(program)
      guard !offer.isEmpty else { return [] }
      return [line(operand.isMany ? here : "\(here) \(index)", offer)]
    }
    return words + externals + options + operands
  }

  private func optionLines(_ option: OptionDoc, condition: String?) -> [String] {
    let value =
      !option.takesValue
      ? []
      : option.completion == .file ? ["-r", "-F"] : ["-x"] + option.completion.fishOffer(program)
    let letter = option.short.map { ["-s", String($0)] } ?? []
    let first = letter + ["-l", option.long] + value + ["-d", quoted(option.summary)]
    let negation = ["-l", "no-\(option.long)", "-d", quoted("Not: \(option.summary)")]
    return [line(condition, first)] + (option.isNegatable ? [line(condition, negation)] : [])
  }

  private func line(_ condition: String?, _ words: [String]) -> String {
    let test = condition.map { ["-n", quoted($0)] } ?? []
    return (["complete", "-c", program.name] + test + words).joined(separator: " ")
  }

  private func quoted(_ text: String) -> String { FishScript.quoted(text) }
}

extension Completion {
  fileprivate func fishOffer(_ program: Program) -> [String] {
    switch self {
    case .none: []
    case .file: ["-F"]
    case .directory: ["-a", "'(__fish_complete_directories)'"]
    case .alternatives(let choices):
      ["-a", FishScript.quoted(choices.values.joined(separator: " "))]
    case .dynamic(let kind): ["-a", "'(__\(program.identifier)_dynamic \(kind))'"]
    }
  }
}
