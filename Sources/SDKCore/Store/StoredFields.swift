package import JSON
package import Primitives

/// A value that is an object in a document of the store.
package protocol StoredValue {
  /// Has one row for each member: it writes that of the value, or reads it if there is no value.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, only if there is no value.
  init(_ fields: StoredFields, _ value: Self?) throws(SDKError)
}

extension StoredValue {
  package init(_ fields: StoredFields) throws(SDKError) { try self.init(fields, nil) }

  package var stored: JSONObject { StoredFields(writing: self, by: Self.init).members }

  /// Writes the value over a former one; members that this version does not know stay.
  package func write(to members: inout JSONObject) {
    members = StoredFields(writing: self, over: members, by: Self.init).members
  }
}

/// The members of a stored value, of which each row reads or writes one.
package final class StoredFields {
  package private(set) var members: JSONObject
  /// The name of what is read, in errors; `nil` to write.
  private let document: String?
  private var path = ""

  package init(_ members: JSONObject, in document: String?) {
    (self.members, self.document) = (members, document)
  }

  convenience init<Value>(
    writing value: Value, over members: JSONObject = [:],
    by rows: (StoredFields, Value?) throws(SDKError) -> Value
  ) {
    self.init(members, in: nil)
    // Only a row that reads throws: of a value it writes what is there.
    _ = try? rows(self, value)
  }

  package func required<Value>(
    _ name: String, _ value: Value?, _ type: StoredType<Value>
  ) throws(SDKError) -> Value {
    guard let value = try optional(name, value, type) else { throw invalid(name, "is missing") }
    return value
  }

  /// A member that may be missing; one that cannot be read does not count as missing: a time must not become "never".
  package func optional<Value>(
    _ name: String, _ value: Value?, _ type: StoredType<Value>
  ) throws(SDKError) -> Value? {
    guard document != nil else {
      members[name] = value.flatMap(type.write)
      return value
    }
    guard let member = members[name], member != .null else { return nil }
    return try read(member, name, type)
  }

  /// A list that is left out if it is empty.
  func list<Element>(
    _ name: String, _ value: [Element]?, _ type: StoredType<[Element]>
  ) throws(SDKError) -> [Element] {
    try optional(name, value?.isEmpty == true ? nil : value, type) ?? []
  }

  /// A text that is the same in each value.
  func constant(_ name: String, _ text: String) throws(SDKError) {
    _ = try required(name, text, .form("'\(text)'") { $0 == text ? text : nil })
  }

  /// What a passcode has sealed of the value, as the only such member; of a later version it may be another one.
  func sealed(_ member: String, _ text: String?) throws(SDKError) -> String? {
    let members: JSONObject? = text.map { [member: .string($0)] }
    return try optional(ProfileFile.sealedMember, members, .members)?[member]?.string
  }

  package func invalid(_ name: String, _ cause: String) -> SDKError {
    StoreDocument.damage(document ?? "", "'\(path)\(name)' \(cause)", as: .invalidConfiguration)
  }

  func read<Value>(
    _ member: JSON, _ name: String, _ type: StoredType<Value>
  ) throws(SDKError) -> Value {
    guard let value = try type.read(member, self, name) else {
      throw invalid(name, "is \(member.kind) and should be \(type.name)")
    }
    return value
  }

  fileprivate func inside(_ name: String, _ members: JSONObject) -> StoredFields {
    let fields = StoredFields(members, in: document)
    fields.path = "\(path)\(name)."
    return fields
  }
}

/// How a member is read and written.
package struct StoredType<Value> {
  /// What it should be, in errors: `a string`.
  let name: String
  let read: (JSON, StoredFields, String) throws(SDKError) -> Value?
  /// `nil` leaves the member out.
  package let write: (Value) -> JSON?
}

extension StoredType {
  package init(
    _ name: String, _ read: @escaping (JSON) -> Value?, _ write: @escaping (Value) -> JSON?
  ) {
    self.init(name: name, read: { (json, _, _) throws(SDKError) in read(json) }, write: write)
  }

  /// A string of a form of its own.
  package static func form(_ name: String, _ read: @escaping (String) -> Value?) -> Self
  where Value: CustomStringConvertible {
    Self(name, { $0.string.flatMap(read) }, { .string($0.description) })
  }

  /// An object, by rows like those of a ``StoredValue``.
  package static func object(
    _ rows: @escaping (StoredFields, Value?) throws(SDKError) -> Value
  ) -> Self {
    Self(
      name: "an object",
      read: { (json, fields, name) throws(SDKError) in
        guard let members = json.object else { return nil }
        return try rows(fields.inside(name, members), nil)
      }, write: { .object(StoredFields(writing: $0, by: rows).members) })
  }

  package static func list<Element>(of type: StoredType<Element>) -> Self where Value == [Element] {
    Self(
      name: "an array",
      read: { (json, fields, name) throws(SDKError) in
        guard let elements = json.array else { return nil }
        var values: [Element] = []
        for (index, element) in elements.enumerated() {
          values.append(try fields.read(element, "\(name)[\(index)]", type))
        }
        return values
      }, write: { .array($0.compactMap(type.write)) })
  }

  package static var text: StoredType<String> { .init("a string", { $0.string }, { .string($0) }) }
  package static var texts: StoredType<[String]> {
    .init("an array of strings", { $0.strings }, { .strings($0) })
  }
  static var flag: StoredType<Bool> { .init("a boolean", { $0.bool }, { .bool($0) }) }
  /// Seconds since 1970, before the year 10000.
  static var seconds: StoredType<Timestamp> {
    .init(
      "a time", { $0.time.flatMap { (0...253_402_300_799).contains($0) ? $0 : nil } },
      { .time($0) })
  }
  /// A text like `2026-01-01T00:00:00Z`.
  package static var date: StoredType<Timestamp> { .form("a time") { Timestamp($0) } }
  static var base64: StoredType<[UInt8]> {
    .init(
      "base64", { $0.string.flatMap { Base64.decode($0.utf8) } },
      { .string(Base64.encode($0)) })
  }
  static var any: StoredType<JSON> { .init("a value", { $0 }, { $0 }) }
  static var members: StoredType<JSONObject> { .init("an object", { $0.object }, { .object($0) }) }
}

extension StoredType where Value: StoredValue {
  package static var object: Self { object(Value.init) }
}

extension StoredType where Value: RawRepresentable<String> {
  package static var word: Self {
    Self(
      "a known word", { $0.string.flatMap { Value(identifier: $0) } }, { .string($0.rawValue) })
  }
}

extension StoredType where Value: FixedWidthInteger {
  package static var number: Self {
    Self("a number of its range", { $0.int.flatMap { Value(exactly: $0) } }, { .int($0) })
  }
}
