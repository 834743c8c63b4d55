/// What a command prints, member by member: help, manual and completion read it.
package struct OutputDoc: Sendable {
  package enum Shape: Sendable {
    case list
    case document
    /// An object for each item, as soon as it is known.
    case stream
  }

  package let shape: Shape
  package let members: [MemberDoc]
  /// What options print in place of it.
  private var alternatives: [(option: String, doc: OutputDoc)] = []

  package init(_ shape: Shape, _ members: [MemberDoc]) {
    self.shape = shape
    self.members = members
  }

  /// The same, with what an option prints in place of it.
  package func with(_ option: String, _ doc: OutputDoc) -> OutputDoc {
    var copy = self
    copy.alternatives.append((option, doc))
    return copy
  }

  /// The names of all members.
  package var names: [String] {
    (members + alternatives.flatMap(\.doc.members)).map(\.name).uniqued()
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
    let start = list.map { "With `--\($0.option)` each" } ?? "Each"
    return
      "\(start) line has these fields, separated by tabs: \(names); on a terminal they are a table."
  }

  /// The objects of `--json`.
  var json: String {
    let lists = ["\(head):", members.map { "* \($0.prose)" }.joined(separator: "\n")]
    let known = Set(members.map(\.name))
    let others = alternatives.map { other in
      let names = other.doc.members.map { known.contains($0.name) ? "`\($0.name)`" : $0.inline }
      let head = other.doc.head
      return "With `--\(other.option)`, \(head.prefix(1).lowercased() + head.dropFirst()) "
        + names.joined(separator: ", ") + "."
    }
    return (lists + others).joined(separator: "\n\n")
  }

  private var head: String {
    switch shape {
    case .list: "An array of objects with"
    case .document: "An object with"
    case .stream: "One object for each, one per line, with"
    }
  }
}

/// A member of the objects that a command prints.
package struct MemberDoc: Sendable, Hashable {
  package let name: String
  /// What it means, without a final period.
  package let meaning: String
  package var isOptional = false
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

  fileprivate var prose: String {
    let parts =
      members.isEmpty ? "" : ", with \(members.map(\.inline).joined(separator: ", "))"
    return "`\(name)`: \(meaning)\(isOptional ? ", or null" : "")\(parts)"
  }

  fileprivate var inline: String {
    let nested =
      members.isEmpty ? "" : " with \(members.map { "`\($0.name)`" }.joined(separator: ", "))"
    return "`\(name)` (\(meaning)\(isOptional ? ", or null" : "")\(nested))"
  }
}
