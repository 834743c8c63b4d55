package import JSON

@testable package import SDKCore

/// A stored value with all its members, to be read, changed and written.
package struct StoredExample: Sendable {
  private let members: JSONObject
  /// The members that may be missing.
  private let optional: Set<String>
  /// Those of them that count as missing if they are of another type.
  private let lenient: Set<String>
  /// The members whose content has no rows.
  private let opaque: Set<String>
  private let rewrite: @Sendable (JSONObject) async throws -> JSONObject

  package init(
    _ members: JSONObject, optional: Set<String> = [], lenient: Set<String> = [],
    opaque: Set<String> = [],
    rewrite: @escaping @Sendable (JSONObject) async throws -> JSONObject
  ) {
    (self.members, self.optional, self.opaque) = (members, optional.union(lenient), opaque)
    self.lenient = lenient
    self.rewrite = rewrite
  }

  package init<Value: StoredValue & Sendable>(
    _ type: Value.Type, _ members: JSONObject, optional: Set<String> = [],
    lenient: Set<String> = [], opaque: Set<String> = []
  ) {
    self.init(members, optional: optional, lenient: lenient, opaque: opaque) { members in
      var written: JSONObject = ["unknown": 1]
      try Value(StoredFields(members, in: "x")).write(to: &written)
      guard written["unknown"] == 1 else { throw CancellationError() }
      written["unknown"] = nil
      return written
    }
  }

  /// What is not as it must be: the value is written as it was read, and an error names each member that is missing,
  /// or of another type.
  package func mistakes() async throws -> [String] {
    var mistakes: [String] = []
    if try await rewrite(members) != members { mistakes.append("it is not written as it was read") }
    for (path, change) in Self.changes(of: .object(members), at: "", opaque, { $0 ?? [:] }) {
      let (without, wrong) = (change(nil), [change([false]), change(false)])
      if !optional.contains(path) {
        let outcome = await outcome(of: without)
        if !outcome.contains("'\(path)' is missing") { mistakes.append("\(path): \(outcome)") }
      } else if try await !Self.keeps(.object(rewrite(without)), .object(without)) {
        mistakes.append("\(path) may be missing")
      }
      if lenient.contains(path) {
        for wrong in wrong where try await !Self.keeps(.object(rewrite(wrong)), .object(without)) {
          mistakes.append("\(path) may be of another type")
        }
        continue
      }
      let outcomes = [await outcome(of: wrong[0]), await outcome(of: wrong[1])]
      if !outcomes.contains(where: {
        $0.contains("'\(path)' is a") && $0.contains(" and should be ")
      }) {
        mistakes.append("\(path): \(outcomes)")
      }
    }
    return mistakes
  }

  private func outcome(of members: JSONObject) async -> String {
    do { return JSON.object(try await rewrite(members)).serialized() } catch { return "\(error)" }
  }

  /// Whether a value has all that a part of it has; defaults may be added.
  private static func keeps(_ value: JSON, _ part: JSON) -> Bool {
    if let members = part.object {
      return members.allSatisfy { name, member in value[name].map { keeps($0, member) } ?? false }
    }
    guard let elements = part.array, let values = value.array else { return value == part }
    return elements.count == values.count && zip(values, elements).allSatisfy(keeps)
  }

  /// The paths of all members, each with what changes it.
  private static func changes(
    of value: JSON, at path: String, _ opaque: Set<String>,
    _ rebuilt: @escaping (JSON?) -> JSON
  ) -> [(String, (JSON?) -> JSONObject)] {
    var changes: [(String, (JSON?) -> JSONObject)] = []
    for (name, member) in value.object?.sorted ?? [] {
      let path = path.isEmpty ? name : "\(path).\(name)"
      func change(_ new: JSON?) -> JSON {
        var members = value
        members[name] = new
        return rebuilt(members)
      }
      changes.append((path, { change($0).object ?? [:] }))
      guard !opaque.contains(path) else { continue }
      changes += Self.changes(of: member, at: path, opaque, change)
      if let first = member.array?.first {
        changes += Self.changes(of: first, at: path + "[0]", opaque) { change(.array([$0 ?? [:]])) }
      }
    }
    return changes
  }
}
