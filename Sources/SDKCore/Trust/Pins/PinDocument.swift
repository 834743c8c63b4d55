public import JSON
public import Pinning
public import Primitives

/// The JSON document of pin sets: that of `pins.json`, and the payload of a signed pin set.
///
/// `hosts`, and `proxies` for HTTPS proxies, hold a set for each pattern: `keys`, `expires`,
/// `policy` and `comment`. A key has `pin`, `role`, `label`, `comment`, `origin`,
/// `added`, `notAfter` and `keyType`.
public enum PinDocument {
  /// Why a document was refused.
  public typealias ReadError = DocumentError

  /// Reads the sets of a document; other members are ignored.
  ///
  /// A member that cannot be read is an error: a date must not become "never", nor a policy
  /// the default.
  ///
  /// - Throws: ``ReadError`` with the place of the first member that cannot be read.
  public static func sets(in members: JSONObject) throws(ReadError) -> [PinSet] {
    try sets(in: members, "hosts", isProxy: false)
      + sets(in: members, "proxies", isProxy: true)
  }

  /// The members with these sets instead of the old ones; unknown members are kept.
  public static func members(_ sets: [PinSet], over old: JSONObject = [:]) -> JSONObject {
    var members = old
    members["hosts"] = object(sets.filter { !$0.pattern.isProxy }, over: old["hosts"])
    let proxies = sets.filter { $0.pattern.isProxy }
    // `nil` in a conditional expression would be null.
    members["proxies"] = nil
    if !proxies.isEmpty { members["proxies"] = object(proxies, over: old["proxies"]) }
    return members
  }

  private static func sets(
    in members: JSONObject, _ name: String, isProxy: Bool
  ) throws(ReadError) -> [PinSet] {
    guard let value = members[name], !(isProxy && value == .null) else { return [] }
    guard let entries = value.object else {
      throw ReadError(cause: "'\(name)' is \(value.kind)")
    }
    var sets: [PinSet] = []
    var patterns: Set<PinPattern> = []
    for (text, value) in entries.sorted {
      let set = try PinSetReader(path: "\(name).\(text)", text, isProxy, value).set()
      guard patterns.insert(set.pattern).inserted else {
        throw ReadError(cause: "'\(name).\(text)' appears twice")
      }
      sets.append(set)
    }
    return sets
  }

  private static func object(_ sets: [PinSet], over old: JSON?) -> JSON {
    var byPattern: [PinPattern: JSON] = [:]
    for (text, value) in old?.object?.sorted ?? [] {
      if let pattern = PinSetReader.pattern(text, value) { byPattern[pattern] = value }
    }
    return .object(
      JSONObject(
        sets.map { set in
          // A set that is pinned for more or fewer names keeps its unknown members.
          let similar = PinPattern.Subdomains.allCases.lazy.compactMap {
            set.pattern.with(subdomains: $0).flatMap { byPattern[$0] }
          }.first
          return (set.pattern.description, set.json(over: byPattern[set.pattern] ?? similar))
        }))
  }
}

extension PinSet {
  fileprivate func json(over old: JSON?) -> JSON {
    var value = old ?? [:]
    // The pattern says it.
    value["includeSubdomains"] = nil
    value["expires"] = expires.map { .string($0.description) }
    value["policy"] = policy.map { .string($0.rawValue) }
    value["comment"] = comment.map { .string($0) }
    let oldKeys = value["keys"]?.array ?? []
    value["keys"] = .array(
      keys.map { key in
        key.json(over: oldKeys.first { $0["pin"]?.string.flatMap { Pin($0) } == key.pin })
      })
    return value
  }
}

extension PinnedKey {
  fileprivate func json(over old: JSON?) -> JSON {
    var value = old ?? [:]
    value["pin"] = .string(pin.description)
    value["role"] = .string(role.rawValue)
    value["label"] = label.map { .string($0) }
    value["comment"] = comment.map { .string($0) }
    value["origin"] = origin.map { .string($0.description) }
    value["added"] = added.map { .string($0.description) }
    value["notAfter"] = notAfter.map { .string($0.description) }
    value["keyType"] = keyType.map { .string($0) }
    return value
  }
}

extension PinDocument {
  /// The text of the document with some sets.
  public static func text(of sets: [PinSet]) -> String {
    var members = members(sets)
    members["version"] = 1
    return JSON.object(members).serialized(.pretty) + "\n"
  }

  /// Reads the text of a document.
  ///
  /// - Returns: the members, and the sets that they declare.
  /// - Throws: ``ReadError`` for what is not a document of this version.
  public static func read(
    _ bytes: [UInt8]
  ) throws(ReadError) -> (members: JSONObject, sets: [PinSet]) {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw ReadError(cause: "\(error)")
    }
    guard let members = document.object else { throw ReadError(cause: "it is not an object") }
    guard members["version"]?.int == 1 else {
      throw ReadError(cause: "'version' is missing or not 1")
    }
    return (members, try sets(in: members))
  }
}
