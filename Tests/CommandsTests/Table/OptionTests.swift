import CoreTestSupport

@testable import Arguments
@testable import Commands

@Suite("Options of the commands")
struct OptionTests {
  @Test("are those of the list, and set the fields that it shows")
  func listed() throws {
    let lines = TestedCommand.all.flatMap { command in
      [command.name + command.operands.map { " " + $0.synopsis }.joined()]
        + TestedOption.all.filter { $0.path == command.path }.flatMap(\.listing)
    }
    try expectFile("Tests/Scripts/options.txt", lines.joined(separator: "\n") + "\n")
  }

  @Test("set their field in each spelling", arguments: TestedOption.all)
  func spellings(option: TestedOption) throws {
    let (command, doc, once) = (option.command, option.doc, option.once)
    let changes = try #require(command.changes(option.line(once)))
    let name = "--\(doc.long)"
    var spellings = doc.short.map { [["-\($0)"] + once.dropFirst()] } ?? []
    if let value = option.value {
      spellings.append(["\(name)=\(value)"])
      if let short = doc.short { spellings.append(["-\(short)\(value)"]) }
    }
    for words in [once] + spellings {
      #expect(command.changes(option.line(words)) == changes, "\(words)")
      if !option.standsFirst {
        #expect(command.changes(option.line(words, isLast: true)) == changes, "\(words)")
      }
      #expect(usageError(command.path + option.line(words)) == nil, "\(words)")
    }
    let negative = "no-\(doc.long)"
    if !doc.isNegatable, !command.options.contains(where: { $0.long == negative }) {
      let error = usageError(command.path + option.line(["--\(negative)"]))
      #expect(error?.hasPrefix("unknown option '--\(negative)'") == true)
    }
  }

  @Test("follow their rule when they are repeated", arguments: TestedOption.all)
  func repeated(option: TestedOption) throws {
    let (command, once) = (option.command, option.once)
    let twice = option.line(once + once)
    switch option.doc.repetition {
    case .last:
      #expect(option.value == nil)
      #expect(command.changes(twice) == command.changes(option.line(once)))
    case .append:
      let changes = try #require(option.changes)
      let values = changes.mapValues { "\($0) | \($0)" }
      #expect(try #require(command.changes(twice)).filter { changes[$0.key] != nil } == values)
    case .once:
      #expect(
        usageError(command.path + twice)
          == "option '--\(option.doc.long)' may be given only once")
    case .count: Issue.record("no command counts an option")
    }
  }

  @Test("refuse a missing, an unexpected and an invalid value", arguments: TestedOption.all)
  func refused(option: TestedOption) {
    let (path, name) = (option.path, "--\(option.doc.long)")
    guard let valueName = option.doc.valueName else {
      #expect(
        usageError(path + option.line(["\(name)=x"])) == "option '\(name)' takes no value")
      return
    }
    let words = option.standsFirst ? [name] : option.line([name], isLast: true)
    #expect(usageError(path + words) == "option '\(name)' needs a value (\(valueName))")
    for value in TestedOption.samples where !option.accepted.contains(value) {
      let error = usageError(path + option.line([name, value])) ?? ""
      let prefix = "invalid value '\(value)' for '\(name)': "
      #expect(option.reasons.map { prefix + $0 }.contains(error), "\(error)")
    }
  }

  @Test("cannot be used beside what they exclude", arguments: TestedOption.all)
  func exclusions(option: TestedOption) {
    let doc = option.doc
    for rival in TestedOption.all where rival.path == option.path && rival.doc.long != doc.long {
      let isNegative = doc.excludes.contains("no-\(rival.doc.long)")
      let isRival = doc.excludes.contains(rival.doc.long)
      let isOfSet = doc.exclusiveSet != nil && doc.exclusiveSet == rival.doc.exclusiveSet
      guard isNegative || isRival || isOfSet else { continue }
      let typed = isNegative ? ["--no-\(rival.doc.long)"] : rival.once
      #expect(
        usageError(option.path + option.once + typed + option.operands)
          == "'--\(doc.long)' and '\(typed[0])' cannot be used together")
    }
    for global in commandTable.catalog.globals where doc.excludes.contains(global.long) {
      let typed = ["--\(global.long)"] + (global.takesValue ? ["v"] : [])
      #expect(
        usageError(option.path + option.once + typed + option.operands)
          == "'--\(doc.long)' and '--\(global.long)' cannot be used together")
    }
  }

  @Test("are refused without what they need", arguments: TestedOption.all)
  func needs(option: TestedOption) {
    guard !option.doc.needs.isEmpty else { return }
    let needed = Phrase.alternatives(option.doc.needs.map { "'--\($0)'" })
    #expect(usageError(option.path + option.once) == "'--\(option.doc.long)' needs \(needed)")
  }

  /// The options and operands to which an empty value means something.
  private static let mayBeEmpty: Set<String> = [
    "__complete WORD", "exec COMMAND", "fetch --data", "fetch --output-dir", "fetch --write-out",
    "login --scope",
    "login assertion --scope", "login exchange --scope", "login password --scope",
    "pin add --comment", "pin set --comment", "proxy COMMAND", "register --scope",
    "register update --scope",
  ]

  @Test("refuse an empty value, as operands do: it would mean something else than a person wants")
  func empty() {
    var allowed: Set<String> = []
    let catalog = commandTable.catalog
    for command in catalog.entries.flatMap({ [$0.command].compactMap { $0 } + $0.subcommands }) {
      let path = command.path.joined(separator: " ")
      for option in command.options where option.valueName != nil {
        let refusals = ["", " "].map { value in
          usageError(command.path + ["--\(option.long)", value])
            == "invalid value '\(value)' for '--\(option.long)': it is empty"
        }
        if refusals.contains(false) { allowed.insert("\(path) --\(option.long)") }
      }
      for (index, operand) in command.operands.enumerated() {
        let words = command.operands.map { _ in "x" }.enumerated().map { $0 == index ? "" : $1 }
        let error = usageError(command.path + words)
        if error != "invalid \(operand.name) '': it is empty" {
          allowed.insert("\(path) \(operand.name)")
        }
      }
    }
    #expect(allowed == Self.mayBeEmpty)
    for name in ["profile", "field", "trace"] {
      #expect(
        usageError(["version", "--\(name)="]) == "invalid value '' for '--\(name)': it is empty")
    }
  }

  @Test(
    "may be anywhere if they are global",
    arguments: [
      (["--profile", "work"], "profile", "work"), (["--profile=work"], "profile", "work"),
      (["-p", "work"], "profile", "work"), (["-pwork"], "profile", "work"),
      (["--json"], "json", "true"), (["--quiet"], "quiet", "true"), (["-q"], "quiet", "true"),
      (["--verbose"], "verbosity", "1"), (["-v"], "verbosity", "1"), (["-vv"], "verbosity", "2"),
      (["--color", "never"], "color", "never"), (["--color=always"], "color", "always"),
      (["--timeout", "1.5"], "timeout", "1.5 seconds"),
      (["--timeout=2m"], "timeout", "120.0 seconds"), (["--trace", "f"], "trace", "f"),
      (["--passphrase-file", "p"], "passphraseFile", "p"),
      (["--passcode-file", "p"], "passcodeFile", "p"),
      (["--user-id", "bob@x.test"], "userID", "bob@x.test"),
    ])
  func globals(words: [String], field: String, value: String) {
    let defaults = fields(of: Globals())
    for line in [words + ["fetch", "/x"], ["fetch"] + words + ["/x"], ["fetch", "/x"] + words] {
      let reading = commandTable.read(line)
      guard case .run(let invocation) = reading.outcome else {
        Issue.record("\(line) does not run")
        continue
      }
      #expect(invocation.path == ["fetch"])
      let changes = fields(of: reading.globals).filter { defaults[$0.key] != $0.value }
      #expect(changes == [field: value], "\(line)")
    }
  }

  @Test("are both in effect, or cannot be used together", arguments: TestedCommand.all)
  func pairs(command: TestedCommand) {
    let options = TestedOption.all.filter { $0.path == command.path }
    for (index, first) in options.enumerated() {
      for second in options[(index + 1)...] {
        let others = first.others + (first.others == second.others ? [] : second.others)
        let words = first.once + second.once + others + first.operands
        let isTwice = [first, second].contains { others.contains($0.once[0]) }
        guard !isTwice, let changes = command.changes(words) else { continue }
        let expected = (first.changes ?? [:]).merging(second.changes ?? [:]) { "\($0), \($1)" }
        #expect(changes.filter { expected[$0.key] != nil } == expected, "\(words)")
      }
    }
  }

  @Test("name only options that exist as what they need or exclude")
  func conflictNames() {
    let catalog = commandTable.catalog
    for command in catalog.entries.flatMap({ [$0.command].compactMap { $0 } + $0.subcommands }) {
      let own = command.options
      let all = own + catalog.globals
      let names = Set(all.map(\.long) + all.filter(\.isNegatable).map { "no-\($0.long)" })
      for option in own { #expect(names.isSuperset(of: option.needs + option.excludes)) }
    }
  }

  @Test("are the global ones of this test, and no others")
  func allGlobals() {
    let names = commandTable.catalog.globals.map { "\($0.long) \($0.short.map { "\($0)" } ?? "-")" }
    #expect(
      names == [
        "profile p", "user-id -", "json -", "field -", "quiet q", "verbose v", "color -",
        "timeout -", "trace -",
        "passcode-file -", "passphrase-file -",
      ])
  }
}

extension TestedOption {
  /// The lines of the list: how it is typed, what it then sets, and what it refuses.
  fileprivate var listing: [String] {
    let name = doc.valueName.map { " \($0)" } ?? ""
    let many = doc.repetition == .append ? "..." : ""
    var lines = ["  " + doc.forms.joined(separator: " ") + name + many]
    let words = ShellWord.line(line(once))
    lines.append("    \(words): \(Self.text(of: changes))")
    if doc.isNegatable {
      let negative = command.changes(line(["--no-\(doc.long)"]))
      let base = command.changes(others + operands) ?? [:]
      let own = negative?.filter { base[$0.key] != $0.value }
      lines.append("    --no-\(doc.long): \(Self.text(of: own))")
    }
    if !reasons.isEmpty {
      lines.append("    takes \(ShellWord.line(accepted))")
      lines += reasons.map { "    refuses: \($0)" }
    }
    if let set = doc.exclusiveSet { lines.append("    one of: \(set)") }
    for (rule, names) in [("needs", doc.needs), ("excludes", doc.excludes)] where !names.isEmpty {
      lines.append("    \(rule) " + names.map { "--\($0)" }.joined(separator: " "))
    }
    return lines
  }

  private static func text(of changes: [String: String]?) -> String {
    guard let changes else { return "no line was found" }
    let settings = changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return settings.isEmpty ? "the default" : settings.joined(separator: ", ")
  }
}
