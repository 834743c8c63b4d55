import TestSupport

@testable import Arguments
@testable import Commands

@Suite("Standard input that is not named")
struct UnnamedInputTests {
  /// Every command with an operand that may be left out, and can be standard input.
  static let commands = commandTable.catalog.entries.flatMap {
    [$0.command].compactMap { $0 } + $0.subcommands
  }.filter { command in
    command.operands.contains { $0.isInput && !$0.isRequired }
  }.map { $0.path + $0.operands.filter(\.isRequired).map { _ in "x" } }

  @Test(
    "is refused by every command that could read it, with both lines as the hint",
    arguments: commands)
  func refused(words: [String]) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(words, input: "x")
    #expect(run.status == .status(.usage))
    let line = (["sdkctl"] + words).joined(separator: " ")
    #expect(run.errors.contains("hint: \(line) -\n"), "\(run)")
    #expect(
      run.errors.contains("hint: \(line) --user\n")
        || run.errors.contains("hint: \(line) </dev/null\n"))
    #expect(program.transport.sent.isEmpty)
  }

  @Test("these commands are several")
  func several() {
    #expect(Self.commands.contains(["token", "sign"]) && Self.commands.contains(["pin", "add"]))
  }
}

@Suite("Standard input that is named twice")
struct SharedInputTests {
  private static let commands = commandTable.catalog.entries.flatMap {
    [$0.command].compactMap { $0 } + $0.subcommands
  }

  /// The words with which an option could name standard input.
  private static func words(_ option: OptionDoc) -> [String]? {
    ["-", "@-", "a=@-", "a:=@-"].first { option.isInput($0) }.map { ["--\(option.long)", $0] }
  }

  /// Operands that take certain values only.
  private static let values = [
    "KEY=VALUE": "alias.x=y", "PLACE": "files", "ACTION": "get", "KEY": "alias.x", "SHELL": "bash",
  ]

  @Test("is refused by the table, for every two options of every command, global ones too")
  func twice() throws {
    var count = 0
    for command in Self.commands {
      let inputs = (command.options + commandTable.catalog.globals).compactMap(Self.words)
      let needed = command.operands.filter(\.isRequired).map { Self.values[$0.name] ?? "x" }
      for (index, one) in inputs.enumerated() {
        for other in inputs[(index + 1)...] {
          let error = usageError(command.path + one + other + needed)
          // Two options that exclude each other are refused before that.
          #expect(
            error?.contains("standard input is named twice") == true
              || error?.contains("cannot be used together") == true
              || error?.contains("' needs '") == true,
            "\(command.path + one + other): \(error ?? "accepted")")
          count += 1
        }
      }
    }
    #expect(count > 90)
  }

  /// Files that are written, that are read by a library, or that must have a name; directories.
  private static let named: Set<String> = [
    "output", "trace", "junit", "prometheus", "ca-file", "socket", "assertion-file", "etag-save",
    "etag-compare", "store-ca-file", "store-certificate-file", "directory",
  ]

  @Test("every option with a file can be standard input, or is known to need a path")
  func files() {
    for command in Self.commands {
      for option in command.options + commandTable.catalog.globals
      where option.completion == .file && Self.words(option) == nil {
        #expect(Self.named.contains(option.long), "\(command.path) --\(option.long)")
      }
    }
  }
}
