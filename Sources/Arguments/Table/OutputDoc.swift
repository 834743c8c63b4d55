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
  /// What is printed with an option.
  package var alternative: Alternative?

  /// The list that an option prints in place of the document.
  package struct Alternative: Sendable, Hashable {
    let option: String
    let members: [MemberDoc]

    package init(option: String, members: [MemberDoc]) {
      (self.option, self.members) = (option, members)
    }
  }

  package init(_ shape: Shape, _ members: [MemberDoc]) {
    self.shape = shape
    self.members = members
  }

  /// The fields of the lines that are printed without `--json`; `nil` if there are none.
  var lines: String? {
    let rows = alternative?.members ?? (shape == .document ? members.flatMap(\.members) : members)
    let fields = rows.flatMap(\.fields)
    guard !fields.isEmpty else { return nil }
    let names = fields.map { "`\($0)`" }.joined(separator: ", ")
    if fields.count == 1 { return "Each line is a \(fields[0])." }
    let start = alternative.map { "With `--\($0.option)` each" } ?? "Each"
    return
      "\(start) line has these fields, separated by tabs: \(names); on a terminal they are a table."
  }

  /// The objects of `--json`.
  var json: String {
    let head =
      switch shape {
      case .list: "An array of objects with:"
      case .document: "An object with:"
      case .stream: "One object for each, one per line, with:"
      }
    let list = alternative.map { other in
      let names = other.members.map { "`\($0.name)`" }.joined(separator: ", ")
      return "\n\nWith `--\(other.option)`, an array of objects with \(names)."
    }
    return "\(head)\n\n" + members.map { "* \($0.prose)" }.joined(separator: "\n") + (list ?? "")
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

  private var inline: String {
    let nested =
      members.isEmpty ? "" : " with \(members.map { "`\($0.name)`" }.joined(separator: ", "))"
    return "`\(name)` (\(meaning)\(isOptional ? ", or null" : "")\(nested))"
  }
}
