@testable package import Arguments

// Options, operands and exit codes.
extension CommandCatalog {
  var optionProblems: [String] {
    let placed = commands.flatMap { command in
      command.options.map { (command.path.joined(separator: " "), $0) }
    }
    return (placed + globals.map { (program.name, $0) }).flatMap { place, option in
      (option.problems + problems(of: option.environment)).map {
        "\(place): the option '--\(option.long)' \($0)"
      }
    }
  }

  private func problems(of variable: String?) -> [String] {
    guard let variable, !environment.contains(where: { $0.name == variable }) else { return [] }
    return ["names the variable \(variable), which has no row"]
  }

  package var operandProblems: [String] {
    commands.flatMap { command -> [String] in
      let place = command.path.joined(separator: " ")
      let many = command.operands.count { $0.isMany }
      var problems: [String] = []
      if many > 1 { problems.append("\(place): two operands take many words") }
      let leading = command.operands.dropLast()
      if leading.contains(where: { $0.arity == .verbatim })
        || command.operands.last?.arity == .verbatim
          && leading.contains(where: { $0.arity != .one })
      {
        problems.append(
          "\(place): only single operands may stand before a verbatim one, none after")
      }
      return problems
    }
  }

  var exitCodeProblems: [String] {
    let known = exitCodes.map(\.code)
    let doubled = Self.repeated(known.map { String($0) }).map { "the exit code \($0) has two rows" }
    let silent = exitCodes.filter { $0.summary.isEmpty || $0.name.isEmpty }.map {
      "the exit code \($0.code) has no name or no summary"
    }
    let unknown = placedPages.flatMap { place, page in
      page.exitCodes.filter { !known.contains($0) }.map {
        "\(place): the exit code \($0) has no row"
      }
    }
    return doubled + silent + unknown
  }
}

extension OptionDoc {
  fileprivate var problems: [String] {
    var problems: [String] = []
    let isPlain = long.utf8.allSatisfy {
      $0 == UInt8(ascii: "-") || (0x61...0x7a).contains($0) || (0x30...0x39).contains($0)
    }
    if long.count < 2 || !isPlain || long.hasPrefix("-") { problems.append("has a bad name") }
    if valueName?.isEmpty == true { problems.append("does not name its value") }
    if valueName == nil, completion != .none { problems.append("is a switch with completions") }
    if valueName != nil, isNegatable { problems.append("has a value and a negation") }
    if case .choices(let choices) = completion {
      if choices.isEmpty { problems.append("has no choices") }
      let isASCII = choices.allSatisfy { choice in
        !choice.isEmpty && choice.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      }
      if !isASCII { problems.append("has a choice that is not plain ASCII") }
    }
    if valueName != nil, isSecret { problems.append("takes a secret as its value") }
    return problems
  }

  /// Whether the name ends in a secret, and not in a file that holds it: "client-secret".
  private var isSecret: Bool {
    let secrets: Set<Substring> = ["token", "password", "passphrase", "secret", "pin"]
    return long.split(separator: "-").last.map(secrets.contains) ?? false
  }
}
