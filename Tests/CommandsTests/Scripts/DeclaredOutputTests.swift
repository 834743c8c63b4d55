import TestSupport

@testable import Arguments
@testable import Commands

/// What scripts print with `--json`, beside what the pages of the commands declare.
@Suite("The JSON of a page")
struct DeclaredOutputTests {
  /// A document of a script.
  struct Printed: CustomStringConvertible {
    let place: String
    let command: String
    let doc: OutputDoc
    let document: JSON

    var description: String { "\(place): \(command)" }
  }

  /// The commands whose output no script can show, and why.
  private static let unscripted = [
    "login respond": "it needs a login that waits in another process",
    "profile store key rotate": "it needs a cluster of etcd",
  ]

  private static let printed = ScriptTests.names.flatMap { name in
    printed(in: (try? Repository.text(of: name)) ?? "", name)
  }

  @Test("is what scripts print, member by member")
  func printed() {
    #expect(Self.printed.count > 100)
    for printed in Self.printed {
      #expect(printed.doc.problems(of: printed.document) == [], "\(printed)")
    }
  }

  @Test("has no member that no script prints")
  func members() {
    for (command, printed) in Dictionary(grouping: Self.printed, by: \.command) {
      let paths = Set(printed.flatMap { $0.document.memberPaths })
      #expect(printed[0].doc.memberPaths.filter { !paths.contains($0) } == [], "\(command)")
    }
  }

  @Test("is printed by a script of every command that declares it")
  func commands() {
    let commands = commandTable.catalog.entries.flatMap { entry in
      (entry.command.map { [$0] } ?? []) + entry.subcommands
    }
    let declared = Set(
      commands.filter { $0.page.output != nil }.map { $0.path.joined(separator: " ") })
    #expect(declared.subtracting(Self.printed.map(\.command)) == Set(Self.unscripted.keys))
  }

  /// The documents that the command lines of a file with `--json` print.
  private static func printed(in file: String, _ name: String) -> [Printed] {
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index -> [Printed] in
      guard let (command, doc) = declaration(of: lines[index]) else { return [] }
      let rest = lines[(index + 1)...].prefix { "?@>|!=".contains($0.first ?? " ") }
      return documents(rest.filter { $0.hasPrefix("| ") }.map { $0.dropFirst(2) }).map {
        Printed(place: "\(name):\(index + 1)", command: command, doc: doc, document: $0)
      }
    }
  }

  /// What the command of a line declares, if it prints JSON.
  private static func declaration(of line: Substring) -> (String, OutputDoc)? {
    let line = ScriptText.hidden(line.replacing("$DIR", with: "DIR"))
    guard line.hasPrefix("$ sdkctl "), let words = ShellWord.split(String(line.dropFirst(9))),
      case let result = commandTable.read(words), case .run(let invocation) = result.outcome,
      result.globals.json, result.globals.field == nil, let doc = invocation.page.output
    else { return nil }
    return (invocation.path.joined(separator: " "), doc)
  }

  /// One document on all lines, or one on each.
  private static func documents(_ lines: [Substring]) -> [JSON] {
    if let document = try? JSON(parsing: lines.joined(separator: "\n")) { return [document] }
    return lines.compactMap { try? JSON(parsing: String($0)) }
  }
}

extension OutputDoc {
  /// What a document has that is not declared, and what it lacks; empty if one of the cases fits.
  fileprivate func problems(of document: JSON) -> [String] {
    let own = problemsHere(of: document)
    let fitsOther = alternatives.contains { $0.doc.problems(of: document).isEmpty }
    return fitsOther ? [] : own
  }

  private func problemsHere(of document: JSON) -> [String] {
    if members.isEmpty { return others == nil ? ["nothing is declared"] : [] }
    guard shape == .list else {
      return document.problems(members, hasOthers: others != nil)
    }
    guard let elements = document.array else { return ["it is not an array"] }
    return elements.flatMap { $0.problems(members, hasOthers: others != nil) }
  }

  /// The declared members of all cases.
  fileprivate var memberPaths: Set<String> {
    alternatives.reduce(into: Set(members.flatMap(\.paths))) { $0.formUnion($1.doc.memberPaths) }
  }
}

extension MemberDoc {
  fileprivate var paths: [String] { [name] + members.flatMap(\.paths).map { "\(name).\($0)" } }
}

extension JSON {
  fileprivate func problems(_ members: [MemberDoc], hasOthers: Bool = false) -> [String] {
    guard let object else { return ["\(kind) is not an object"] }
    let names = members.map(\.name)
    let undeclared = object.keys.filter { !hasOthers && !names.contains($0) }
    return undeclared.map { "'\($0)' is not declared" }
      + members.flatMap { member -> [String] in
        guard let value = object[member.name] else {
          return member.isAbsent ? [] : ["'\(member.name)' is absent"]
        }
        if value == .null { return member.isOptional ? [] : ["'\(member.name)' is null"] }
        if member.members.isEmpty { return [] }
        return (value.array ?? [value]).flatMap { $0.problems(member.members) }.map {
          "\(member.name): \($0)"
        }
      }
  }

  /// The members of an object, or of the objects of an array.
  fileprivate var memberPaths: [String] {
    if let array { return array.flatMap(\.memberPaths) }
    return (object?.sorted ?? []).flatMap { name, value in
      [name] + value.memberPaths.map { "\(name).\($0)" }
    }
  }
}
