/// What `{…}` in prose points at.
enum Reference: Hashable, Sendable {
  case command([String])
  case topic(String)

  /// A page that is not ours: curl(1).
  case foreign(name: String, section: String)
}

extension CommandCatalog {
  /// Resolves "token decode", "exit-codes" or "curl(1)"; nil if it does not exist.
  func reference(_ text: String) -> Reference? {
    if let open = text.firstIndex(of: "("), text.last == ")" {
      let section = text[text.index(after: open)...].dropLast()
      return .foreign(name: String(text[..<open]), section: String(section))
    }
    let words = text.split(separator: " ").map(String.init)
    if let name = words.first, let entry = entry(name), !entry.page.isHidden {
      if words.count == 1 { return .command(words) }
      let subcommand = entry.visibleSubcommands.first { $0.path == words }
      return subcommand.map { .command($0.path) }
    }
    return topics.contains { $0.name == text } ? .topic(text) : nil
  }

  /// The page of the manual that a reference is on.
  func page(of reference: Reference) -> (name: String, section: String) {
    switch reference {
    case .command(let path): (([program.name] + path).joined(separator: "-"), "1")
    case .topic(let name): ("\(program.name)-\(name)", "7")
    case .foreign(let name, let section): (name, section)
    }
  }

  func commandText(_ reference: Reference) -> String {
    switch reference {
    case .command(let path): ([program.name] + path).joined(separator: " ")
    case .topic(let name): "\(program.name) help \(name)"
    case .foreign(let name, let section): "\(name)(\(section))"
    }
  }
}
