import Arguments
import JSON
import Pinning
import Primitives

/// What is printed of each item of a list, or of a document, declared once.
///
/// From it come the JSON and what `--field` finds, the table on a terminal, the lines with tabs, and the description in
/// help and manual.
struct Rows<Item>: Sendable {
  let members: [Member]

  init(_ members: Member...) { self.members = members }

  init(_ members: [Member]) { self.members = members }

  /// A member of the JSON; with a heading, or with parts that have one, also a column.
  struct Member: Sendable {
    let doc: MemberDoc
    let headings: [String]
    /// The value; `nil` if it is absent.
    let json: @Sendable (Item) -> JSON?
    /// The cells of the rows that the item becomes: with a time for a person, else as they are.
    let cells: @Sendable (Item, Timestamp?) -> [[TextTable.Cell]]
  }

  var list: OutputDoc { OutputDoc(.list, members.map(\.doc)) }
  var document: OutputDoc { OutputDoc(.document, members.map(\.doc)) }
  var stream: OutputDoc { OutputDoc(.stream, members.map(\.doc)) }

  func json(_ item: Item) -> JSON {
    .members(Dictionary(members.map { ($0.doc.name, $0.json(item)) }) { first, _ in first })
  }

  /// The members that have a value, each with its name, by which `--field` finds it.
  fileprivate func lines(of item: Item, at now: Timestamp) -> [String] {
    let values = members.map { member in
      let words =
        member.headings.count == 1
        ? member.cells(item, now).flatMap { $0.map(\.text) }
        : member.json(item)?.words ?? []
      return (name: member.doc.name, words: words.filter { $0 != "-" })
    }.filter { !$0.words.isEmpty }
    let width = (values.map(\.name.count).max() ?? 0) + 3
    return values.flatMap { name, words in
      words.map { text in
        // An end says itself that it `expires`.
        let rest = text.hasPrefix("\(name) ") ? String(text.dropFirst(name.count + 1)) : text
        return "\(name): ".padding(to: width) + rest
      }
    }
  }

  fileprivate var headings: [String] { members.flatMap(\.headings) }

  /// The items with a time for a person, else as they are.
  func table(_ items: [Item], at now: Timestamp?) -> TextTable {
    TextTable(headings, rows: items.flatMap { cells($0, now) })
  }

  /// The rows of a table: one, or one for each part of the item.
  fileprivate func cells(_ item: Item, _ now: Timestamp?) -> [[TextTable.Cell]] {
    members.reduce([[]]) { rows, member in
      let parts = member.cells(item, now)
      return rows.flatMap { row in parts.map { row + $0 } }
    }
  }
}

extension Rows.Member {
  /// A member that only JSON has.
  static func member<Value: OutputValue>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Item) -> Value
  ) -> Self {
    var doc = MemberDoc(name, meaning)
    doc.isOptional = Value.isOptional
    return Self(doc: doc, headings: [], json: { value($0).json }, cells: { _, _ in [[]] })
  }

  /// A member that is absent in place of null.
  var orAbsent: Self {
    var doc = doc
    (doc.isOptional, doc.isAbsent) = (false, true)
    return Self(
      doc: doc, headings: headings, json: { [json] in json($0).flatMap { $0 == .null ? nil : $0 } },
      cells: cells)
  }

  /// A member that is a column too.
  static func column<Value: OutputValue>(
    _ name: String, _ heading: String, _ meaning: String,
    tone: @escaping @Sendable (Item) -> Tone = { _ in .plain },
    _ value: @escaping @Sendable (Item) -> Value
  ) -> Self {
    var doc = MemberDoc(name, meaning)
    (doc.isOptional, doc.isField) = (Value.isOptional, true)
    return Self(
      doc: doc, headings: [heading], json: { value($0).json },
      cells: { item, now in
        var cell = value(item).cell(name, at: now)
        if case .plain = cell.tone { cell.tone = tone(item) }
        return [[cell]]
      })
  }

  /// An array of objects, each of which is a row if it has columns.
  static func list<Part>(
    _ name: String, _ meaning: String, isOptional: Bool = false, _ rows: Rows<Part>,
    _ parts: @escaping @Sendable (Item) -> [Part]?
  ) -> Self {
    var doc = MemberDoc(name, meaning)
    doc.isOptional = isOptional
    doc.members = rows.members.map(\.doc)
    return Self(
      doc: doc, headings: rows.headings,
      json: { parts($0).map { .array($0.map(rows.json)) } ?? .null },
      cells: { item, now in
        rows.headings.isEmpty ? [[]] : (parts(item) ?? []).flatMap { rows.cells($0, now) }
      })
  }

  /// A column that only a person sees: JSON has it too, lines have not.
  static func shown<Value: OutputValue>(
    _ name: String, _ heading: String, _ meaning: String,
    tone: @escaping @Sendable (Item) -> Tone = { _ in .plain },
    _ value: @escaping @Sendable (Item) -> Value
  ) -> Self {
    let column = column(name, heading, meaning, tone: tone, value)
    return Self(
      doc: column.doc.withoutField, headings: column.headings, json: column.json,
      cells: { item, now in now == nil ? [[]] : column.cells(item, now) })
  }

  /// An object that only JSON has.
  static func object<Part>(
    _ name: String, _ meaning: String, isOptional: Bool = true, _ rows: Rows<Part>,
    _ part: @escaping @Sendable (Item) -> Part?
  ) -> Self {
    var doc = MemberDoc(name, meaning)
    doc.isOptional = isOptional
    doc.members = rows.members.map(\.doc.withoutField)
    return Self(
      doc: doc, headings: [], json: { part($0).map(rows.json) ?? .null }, cells: { _, _ in [[]] })
  }
}

extension JSON {
  /// The values in it, for a person: those of an object on one line.
  fileprivate var words: [String] {
    if let array { return array.flatMap(\.words) }
    if let object { return [object.sorted.flatMap { $0.value.words }.joined(separator: ", ")] }
    return self == .null ? [] : [string ?? serialized()]
  }
}

extension Rows {
  /// These members of a part of another item, which are null without it.
  func of<Whole>(
    isOptional: Bool = false, _ part: @escaping @Sendable (Whole) -> Item?
  ) -> [Rows<Whole>.Member] {
    members.map { member in
      var doc = member.doc
      doc.isOptional = doc.isOptional || isOptional
      return Rows<Whole>.Member(
        doc: doc, headings: member.headings, json: { part($0).map(member.json) ?? .null },
        cells: { item, now in part(item).map { member.cells($0, now) } ?? [["-"]] })
    }
  }

  /// The same, which are absent without it.
  func ofAny<Whole>(_ part: @escaping @Sendable (Whole) -> Item?) -> [Rows<Whole>.Member] {
    members.map { member in
      var doc = member.doc
      doc.isAbsent = true
      return Rows<Whole>.Member(
        doc: doc, headings: [], json: { part($0).flatMap(member.json) }, cells: { _, _ in [[]] })
    }
  }
}

extension Context {
  /// Prints a list: a table for a person, lines with tabs or JSON for a program.
  func print<Item>(_ items: [Item], _ rows: Rows<Item>) {
    if globals.json { return print(.array(items.map(rows.json))) }
    print(rows.table(items, at: isTerminal ? now() : nil))
  }

  /// Prints a document: for a person a line for each member that has a value.
  func print<Item>(document item: Item, _ rows: Rows<Item>) {
    if globals.json { return print(rows.json(item)) }
    for line in rows.lines(of: item, at: now()) { print(line) }
  }

  /// Reports a change: as a document with `--json`, else as notes for people.
  func report<Item>(_ item: Item, _ rows: Rows<Item>, _ notes: String...) {
    if globals.json { return print(rows.json(item)) }
    for line in notes { note(line) }
  }
}

/// What a member of an output can be.
protocol OutputValue: SendableMetatype {
  static var isOptional: Bool { get }
  var json: JSON { get }
  /// The cell of a table: for a person at a time, else the value as it is.
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell
}

extension OutputValue {
  static var isOptional: Bool { false }
}

extension String: OutputValue {
  var json: JSON { .string(self) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell { .init(self) }
}

extension Bool: OutputValue {
  var json: JSON { .bool(self) }
  /// The name of the member if it is true.
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell { .init(self ? name : "-") }
}

extension Int64: OutputValue {
  var json: JSON { .int(self) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell { .init(String(self)) }
}

extension Pin: OutputValue {
  var json: JSON { .string(description) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell { .init(self) }
}

extension Timestamp: OutputValue {
  var json: JSON { .string(description) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell { .init(self) }
}

/// When something ends: a person reads how far away that is.
struct End: OutputValue {
  let time: Timestamp
  /// Whether a narrow terminal shows only how far away it is.
  let mayBeBrief: Bool

  init(_ time: Timestamp, mayBeBrief: Bool = false) {
    (self.time, self.mayBeBrief) = (time, mayBeBrief)
  }

  var json: JSON { time.json }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    guard let now else { return .init(time) }
    var cell = TextTable.Cell(time, at: now)
    if mayBeBrief { cell.brief = Age.relative(time, to: now) }
    return cell
  }
}

extension JSON: OutputValue {
  var json: JSON { self }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    .init(string ?? serialized())
  }
}

extension [String]: OutputValue {
  var json: JSON { .strings(self) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    .init(isEmpty ? "-" : joined(separator: ","))
  }
}

extension Optional: OutputValue where Wrapped: OutputValue {
  static var isOptional: Bool { true }
  var json: JSON { self?.json ?? .null }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    self?.cell(name, at: now) ?? "-"
  }
}
