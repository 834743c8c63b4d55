import Arguments
import Testing

@testable import Commands

@Suite("Options of the commands")
struct OptionTests {
  @Test("are all in the table of this test, with their short names")
  func complete() {
    let catalog = commandTable.catalog
    let commands = catalog.entries.flatMap { [$0.command].compactMap { $0 } + $0.subcommands }
    let names = commands.flatMap { command in
      command.options.map { option in
        let short = option.short.map { " -\($0)" } ?? ""
        let name = option.valueName.map { " \($0)" } ?? ""
        let no = option.isNegatable ? " no" : ""
        return "\(command.path.joined(separator: " ")) --\(option.long)\(short)\(name)\(no)"
      }
    }
    let tested = OptionRow.commands.map { row in
      let short = row.short.map { " -\($0)" } ?? ""
      let no = row.negated == nil ? "" : " no"
      return "\(row.path) --\(row.long)\(short)\(row.value.map { " \($0.name)" } ?? "")\(no)"
    }
    #expect(names.sorted() == tested.sorted())
    #expect(commands.map { $0.path.joined(separator: " ") } == Probe.all.map(\.path))
  }

  @Test("leave the defaults when they are absent", arguments: OptionRow.commands)
  func absent(row: OptionRow) throws {
    let probe = try #require(Probe.named(row.path))
    let changes = try #require(probe.changes(row.without ?? row.with))
    #expect(changes[row.field] == nil)
  }

  @Test("set their field in each spelling", arguments: OptionRow.commands)
  func spellings(row: OptionRow) throws {
    let probe = try #require(Probe.named(row.path))
    var spellings: [[String]] = []
    if let value = row.value {
      spellings = [["--\(row.long)", value.good], ["--\(row.long)=\(value.good)"]]
      if let short = row.short {
        spellings += [["-\(short)", value.good], ["-\(short)\(value.good)"]]
      }
    } else {
      spellings = [["--\(row.long)"]] + (row.short.map { [["-\($0)"]] } ?? [])
    }
    var base = try #require(probe.changes((row.without ?? []) + row.with))
    if let without = row.without {
      for name in try #require(probe.changes(without)).keys { base[name] = nil }
    }
    for words in spellings {
      let isDefault = row.isDefault
      let before = probe.changes(words + row.with)
      let expected = isDefault ? base : base.merging([row.field: row.result]) { $1 }
      #expect(before == expected, "\(words)")
      if !row.standsFirst {
        #expect(probe.changes(row.with + words) == expected, "\(words)")
      }
      #expect(usageError(row.words + words + row.with) == nil, "\(words)")
    }
    if let negated = row.negated {
      #expect(probe.changes(["--no-\(row.long)"] + row.with)?[row.field] == negated)
    } else if !OptionRow.commands.contains(where: {
      $0.path == row.path && $0.long == "no-\(row.long)"
    }) {
      #expect(
        usageError(row.words + ["--no-\(row.long)"] + row.with)?
          .hasPrefix("unknown option '--no-\(row.long)'") == true)
    }
  }

  @Test("follow their rule when they are repeated", arguments: OptionRow.commands)
  func repeated(row: OptionRow) throws {
    let probe = try #require(Probe.named(row.path))
    let once = row.once
    if let twice = row.twice {
      let changes = try #require(probe.changes(once + once + row.with))
      #expect(changes[row.field] == (row.isDefault ? nil : twice))
    } else {
      #expect(
        usageError(row.words + once + once + row.with)
          == "option '--\(row.long)' may be given only once")
    }
  }

  @Test("refuse a missing, an unexpected and an invalid value", arguments: OptionRow.commands)
  func refused(row: OptionRow) {
    guard let value = row.value else {
      #expect(
        usageError(row.words + ["--\(row.long)=x"] + row.with)
          == "option '--\(row.long)' takes no value")
      return
    }
    #expect(
      usageError(row.words + (row.standsFirst ? [] : row.with) + ["--\(row.long)"])
        == "option '--\(row.long)' needs a value (\(value.name))")
    guard let bad = row.bad else { return }
    #expect(
      usageError(row.words + ["--\(row.long)", bad.text] + row.with)
        == "invalid value '\(bad.text)' for '--\(row.long)': \(bad.reason)")
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

  @Test(
    "are refused with a reason when they are global",
    arguments: [
      (["-p", "a", "-p", "b"], "option '--profile' may be given only once"),
      (["-p"], "option '-p' needs a value (NAME)"),
      (["--color", "blue"], "invalid value 'blue' for '--color': expected auto, always or never"),
      (
        ["--timeout", "soon"],
        "invalid value 'soon' for '--timeout': "
          + "not a time span such as 30, 1.5, 250ms, 5m or 2h"
      ),
      (["--json=1"], "option '--json' takes no value"), (["--nope"], "unknown option '--nope'"),
      (["--prof", "a"], "unknown option '--prof'"),
    ])
  func badGlobals(words: [String], message: String) {
    #expect(usageError(["version"] + words) == message)
  }

  @Test(
    "are refused beside what they exclude, and without what they need",
    arguments: [
      ("token --header --json", "'--header' and '--json' cannot be used together"),
      ("token --field scope --curl", "'--curl' and '--field' cannot be used together"),
      ("--json token --env sh", "'--env' and '--json' cannot be used together"),
      ("fetch /x --output-dir d", "'--output-dir' needs '--output' or '--remote-name'"),
      ("fetch /x --no-clobber", "'--no-clobber' needs '--output' or '--remote-name'"),
      ("fetch /x --create-dirs", "'--create-dirs' needs '--output' or '--remote-name'"),
      ("fetch /x --parallel 3", "'--parallel' needs '--batch'"),
      (
        "fetch -O --continue --no-clobber /x",
        "'--continue' and '--no-clobber' cannot be used together"
      ),
      ("fetch /x --continue", "'--continue' needs '--output' or '--remote-name'"),
      ("identity export --prefix A_", "'--prefix' needs '--env'"),
      ("identity export --curl --legacy", "'--curl' and '--legacy' cannot be used together"),
      ("identity renew --all a", "unexpected operand 'a' with '--all'"),
      ("token jwk", "operand FILE is missing"),
      ("token jwk --generate ES256", "'--generate' needs '--output' or '--private'"),
      ("token jwk --generate ES256 -o k f", "unexpected operand 'f' with '--generate'"),
      ("logout --end-session --local", "'--end-session' and '--local' cannot be used together"),
      ("fetch --batch - -i", "'--batch' and '-i' cannot be used together"),
      ("fetch -d x --batch -", "'--batch' and '-d' cannot be used together"),
      ("fetch -I POST /x", "'--head' and the method POST cannot be used together"),
      ("fetch --head -X GET /x", "'--head' and the method GET cannot be used together"),
    ])
  func conflicts(line: String, message: String) {
    #expect(usageError(line.split(separator: " ").map(String.init)) == message)
  }

  /// Options that add to the same value.
  private static let joined: Set<String> = []

  @Test(
    "are both in effect, or cannot be used together",
    arguments: Set(OptionRow.commands.map(\.path)).sorted())
  func pairs(path: String) throws {
    let probe = try #require(Probe.named(path))
    let rows = OptionRow.commands.filter { $0.path == path }
    for (index, first) in rows.enumerated() {
      for second in rows[(index + 1)...] {
        let operands = first.with + second.with.filter { !first.with.contains($0) }
        guard let changes = probe.changes(first.once + second.once + operands) else { continue }
        for row in [first, second] where !Self.joined.contains("\(path) \(row.field)") {
          #expect(
            changes[row.field] == (row.isDefault ? nil : row.result),
            "\(path) --\(first.long) --\(second.long)")
        }
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

extension OptionRow {
  var words: [String] { path.split(separator: " ").map(String.init) }
}
