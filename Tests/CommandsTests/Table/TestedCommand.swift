import SDKCore
import Testing

@testable import Arguments
@testable import Commands

/// A command of the table, whose arguments the tests read.
struct TestedCommand: Sendable, CustomTestStringConvertible {
  let path: [String]
  private let command: any Arguments.Command<Context>.Type

  /// Every command that runs.
  static let all: [TestedCommand] = commandTable.commands.flatMap { group in
    (group.command.map { [TestedCommand(path: [group.page.name], command: $0)] } ?? [])
      + group.subcommands.map {
        TestedCommand(path: [group.page.name] + $0.page.words, command: $0)
      }
  }

  static func named(_ name: String) -> TestedCommand? { all.first { $0.name == name } }

  var name: String { path.joined(separator: " ") }
  var testDescription: String { name }
  var options: [OptionDoc] { command.optionDocs }
  var operands: [OperandDoc] { command.operandDocs }

  /// The fields that differ from the defaults, with their values as text; `nil` for a usage error.
  func changes(_ words: [String]) -> [String: String]? { Self.changes(command, path + words) }

  /// Why a value is refused, whatever else is given.
  func refusal(of option: Int, _ value: String) -> String? {
    Self.refusal(command, option, value)
  }

  private static func changes<C: Arguments.Command>(
    _ command: C.Type, _ words: [String]
  ) -> [String: String]? {
    let syntax = SyntaxReader.read(words.map { Array($0.utf8) }, commandTable.catalog)
    guard syntax.error == nil,
      let arguments = (try? ArgumentDecoder.arguments(of: command, syntax.own, syntax.operands))?
        .arguments
    else { return nil }
    let defaults = fields(of: C.Arguments())
    return fields(of: arguments).filter { defaults[$0.key] != $0.value }
  }

  private static func refusal<C: Arguments.Command>(
    _ command: C.Type, _ option: Int, _ value: String
  ) -> String? {
    var arguments = C.Arguments()
    do throws(ValueError) {
      try C.options[option].apply(&arguments, .text(value))
      return nil
    } catch {
      return error.reason
    }
  }
}

/// The usage error of a command line, or `nil` when it can run.
func usageError(_ words: [String]) -> String? {
  guard case .usage(let error) = commandTable.read(words).outcome else { return nil }
  return error.message
}

/// The stored properties of a value with their values as text, absent ones as `(none)`; those of a part by
/// the name of the part too.
func fields(of value: some Any, _ prefix: String = "") -> [String: String] {
  var fields: [String: String] = [:]
  for (label, value) in Mirror(reflecting: value).children {
    let name = prefix + (label ?? "")
    if Mirror(reflecting: value).displayStyle == .struct, !(value is any CustomStringConvertible) {
      fields.merge(CommandsTests.fields(of: value, name + ".")) { $1 }
    } else {
      fields[name] = text(of: value)
    }
  }
  return fields
}

private func text(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "(none)"
  case .collection: return mirror.children.map { text(of: $0.value) }.joined(separator: " | ")
  default: return "\(value)"
  }
}
