package import JSON

/// The members of a stored document, which are read with errors that name the member.
package struct StoredMembers {
  let members: JSONObject
  /// The file, or another name of the document, in errors.
  let place: String

  /// A member that must be there.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if it is missing, or cannot be read.
  package func required<Value>(
    _ name: String, _ read: (JSON) -> Value?
  ) throws(SDKError) -> Value {
    guard let value = try optional(name, read) else { throw invalid(name) }
    return value
  }

  /// A member that may be missing; one that cannot be read does not count as missing: a time must not
  /// become "never".
  package func optional<Value>(
    _ name: String, _ read: (JSON) -> Value?
  ) throws(SDKError) -> Value? {
    guard let member = members[name], member != .null else { return nil }
    guard let value = read(member) else { throw invalid(name) }
    return value
  }

  func invalid(_ name: String) -> SDKError {
    StoreDocument.damage(place, "'\(name)' is missing or invalid", as: .invalidConfiguration)
  }
}

extension StoreDocument {
  package var content: StoredMembers { StoredMembers(members: members, place: path.text) }
}

extension JSON {
  /// The elements as values; `nil` if this is not an array, or one of them cannot be read.
  package func list<Value>(of read: (JSON) -> Value?) -> [Value]? {
    guard let array else { return nil }
    let values = array.compactMap(read)
    return values.count == array.count ? values : nil
  }
}
