/// What a command prints, member by member: help, manual and completion read it.
package struct OutputDoc: Sendable, Hashable {
  package enum Shape: Sendable, Hashable {
    case list
    case document
    /// An object for each item, as soon as it is known.
    case stream
  }

  package let shape: Shape
  package let members: [MemberDoc]
  /// What else there is, as a sentence: what comes from elsewhere as it is.
  package let others: String?
  /// What is printed in other cases.
  package private(set) var alternatives: [Alternative] = []

  /// What is printed in place of it in a case, such as "With `--all`".
  package struct Alternative: Sendable, Hashable {
    package let condition: String
    package let doc: OutputDoc
  }

  package init(_ shape: Shape, _ members: [MemberDoc], others: String? = nil) {
    (self.shape, self.members, self.others) = (shape, members, others)
  }

  /// The same, and what is printed in another case.
  package func or(_ condition: String, _ doc: OutputDoc) -> OutputDoc {
    var result = self
    result.alternatives.append(Alternative(condition: condition, doc: doc))
    return result
  }

  /// The names of the members in all cases.
  package var names: [String] {
    alternatives.reduce(into: members.map(\.name)) { names, other in
      names += other.doc.names.filter { !names.contains($0) }
    }
  }

  /// The fields of the lines that are printed without `--json`; `nil` if there are none.
  var lines: String? {
    let list = alternatives.first { $0.doc.shape == .list }
    let rows =
      list?.doc.members ?? (shape == .document ? members.flatMap(\.members) : members)
    let fields = rows.flatMap(\.fields)
    guard !fields.isEmpty else { return nil }
    let names = fields.map { "`\($0)`" }.joined(separator: ", ")
    if fields.count == 1 { return "Each line is a \(fields[0])." }
    let start = list.map { "\($0.condition) each" } ?? "Each"
    return
      "\(start) line has these fields, separated by tabs: \(names); on a terminal they are a table."
  }

  /// The objects of `--json`.
  package var json: String {
    let list = "\(head) with:\n\n" + members.map { "* \($0.prose)" }.joined(separator: "\n")
    let main = members.isEmpty ? [] : [list]
    return (main + [others].compactMap { $0 } + alternatives.map(prose)).joined(separator: "\n\n")
  }

  private var head: String {
    switch shape {
    case .list: "An array of objects"
    case .document: "An object"
    case .stream: "One object for each, one per line,"
    }
  }

  /// An alternative; a member that is described already has only its name.
  private func prose(_ other: Alternative) -> String {
    let names = other.doc.members.map { one in
      let isDescribed = members.contains { ($0.name, $0.meaning) == (one.name, one.meaning) }
      return isDescribed ? "`\(one.name)`" : one.inline
    }
    let head = other.doc.shape == .list ? "an array of objects" : "an object"
    let list =
      names.isEmpty ? nil : "\(other.condition), \(head) with \(names.joined(separator: ", "))."
    return [list, other.doc.others].compactMap { $0 }.joined(separator: " ")
  }
}

/// A member of the objects that a command prints.
package struct MemberDoc: Sendable, Hashable {
  package let name: String
  /// What it means, without a final period.
  package let meaning: String
  /// Whether it can be null.
  package var isOptional = false
  /// Whether it can be absent.
  package var isAbsent = false
  /// Whether it is a field of the lines too.
  package var isField = false
  /// The members of the objects that are its value.
  package var members: [MemberDoc] = []

  package init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }

  /// The same of an object, which is in no line.
  package var withoutField: MemberDoc {
    var doc = self
    doc.isField = false
    return doc
  }

  fileprivate var fields: [String] { (isField ? [name] : []) + members.flatMap(\.fields) }

  private var note: String {
    switch (isOptional, isAbsent) {
    case (false, false): ""
    case (true, false): ", or null"
    case (false, true): ", or absent"
    case (true, true): ", or null or absent"
    }
  }

  fileprivate var prose: String {
    let parts =
      members.isEmpty ? "" : ", with \(members.map(\.inline).joined(separator: ", "))"
    return "`\(name)`: \(meaning)\(note)\(parts)"
  }

  fileprivate var inline: String {
    let nested =
      members.isEmpty ? "" : " with \(members.map { "`\($0.name)`" }.joined(separator: ", "))"
    return "`\(name)` (\(meaning)\(note)\(nested))"
  }
}
