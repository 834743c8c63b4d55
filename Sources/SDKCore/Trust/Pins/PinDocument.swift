public import JSON
public import Pinning
public import Primitives

/// The JSON document of pin sets: that of `pins.json`, and the payload of a signed pin set.
///
/// `hosts`, and `proxies` for HTTPS proxies, hold a set for each pattern: `keys`, `expires`, `policy` and `comment`.
/// A key has `pin`, `role`, `label`, `comment`, `origin`, `added`, `notAfter` and `keyType`.
public enum PinDocument {
  /// Why a document was refused.
  public typealias ReadError = DocumentError

  /// Reads the sets of a document; other members are ignored.
  ///
  /// A member that cannot be read is an error: a date must not become "never", nor a policy the default.
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
      let set = try PinSetReader(
        path: "\(name).\(text)", text: text, isProxy: isProxy, value: value
      ).set()
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

struct PinSetReader {
  typealias ReadError = PinDocument.ReadError

  let path: String
  let text: String
  let isProxy: Bool
  let value: JSON

  /// The pattern of a member; `includeSubdomains` beside a plain host means `**.`.
  static func pattern(_ text: String, _ value: JSON, isProxy: Bool = false) -> PinPattern? {
    guard let pattern = PinPattern(text, isProxy: isProxy) else { return nil }
    guard pattern.subdomains == .none, value["includeSubdomains"]?.bool == true else {
      return pattern
    }
    return pattern.with(subdomains: .all)
  }

  func set() throws(ReadError) -> PinSet {
    guard let keys = value["keys"]?.array, !keys.isEmpty else {
      throw ReadError(cause: "'\(path).keys' is missing or empty")
    }
    guard keys.count <= PinSet.maximumCount else {
      throw ReadError(cause: "'\(path).keys' has more than \(PinSet.maximumCount) pins")
    }
    _ = try member("includeSubdomains", of: value, path, \.bool) { _ in "is not true or false" }
    var pinned: [PinnedKey] = []
    for (index, key) in keys.enumerated() {
      pinned.append(try self.key(key, "\(path).keys[\(index)]"))
    }
    guard let pattern = Self.pattern(text, value, isProxy: isProxy) else {
      throw ReadError(cause: "'\(path)' is not a host name")
    }
    // As `pin add` would: the file may have been written by hand.
    if pattern.subdomains != .none, PublicSuffix.contains(pattern.host) {
      throw ReadError(cause: "'\(path)' includes the subdomains of a public suffix")
    }
    return PinSet(
      pattern, expires: try date("expires", of: value, path), policy: try policy(),
      comment: try string("comment", of: value, path),
      keys: pinned)
  }

  private func key(_ key: JSON, _ path: String) throws(ReadError) -> PinnedKey {
    guard let text = key["pin"]?.string, let pin = Pin(text) else {
      throw ReadError(cause: "'\(path).pin' is not a SHA-256 pin")
    }
    guard let role = PinRole(identifier: key["role"]?.string ?? PinRole.leaf.rawValue) else {
      throw ReadError(
        cause: "'\(path).role' is not leaf, intermediate, root or backup")
    }
    let origin = try string("origin", of: key, path)
    return PinnedKey(
      pin: pin, role: role, label: try string("label", of: key, path),
      added: try date("added", of: key, path), comment: try string("comment", of: key, path),
      origin: try origin.map { (text) throws(ReadError) in
        guard let origin = PinOrigin(text) else {
          let kinds = PinOrigin.Kind.allCases.map(\.rawValue).joined(separator: ", ")
          throw ReadError(cause: "'\(path).origin' does not begin with one of \(kinds)")
        }
        return origin
      }, notAfter: try date("notAfter", of: key, path),
      keyType: try string("keyType", of: key, path))
  }

  private func policy() throws(ReadError) -> PinPolicy? {
    guard let text = try string("policy", of: value, path) else { return nil }
    guard let policy = PinPolicy(identifier: text) else {
      throw ReadError(cause: "'\(path).policy' is not enforce or report")
    }
    return policy
  }

  private func date(
    _ name: String, of value: JSON, _ path: String
  ) throws(ReadError) -> Timestamp? {
    try member(name, of: value, path, { $0.string.flatMap { Timestamp($0) } }) { _ in
      "is not an ISO 8601 date"
    }
  }

  private func string(
    _ name: String, of value: JSON, _ path: String
  ) throws(ReadError) -> String? {
    try member(name, of: value, path, \.string) { "is \($0.kind)" }
  }

  private func member<Value>(
    _ name: String, of value: JSON, _ path: String, _ read: (JSON) -> Value?,
    refusal: (JSON) -> String
  ) throws(ReadError) -> Value? {
    guard let member = value[name], member != .null else { return nil }
    guard let value = read(member) else {
      throw ReadError(cause: "'\(path).\(name)' \(refusal(member))")
    }
    return value
  }
}

/// The pins of a profile on disk: `pins.json`, which has no secrets and can be shared.
public struct PinStore: Sendable {
  private let path: StorePath
  private let store: ProfileStore
  private let profile: ProfileName

  /// Opens the pins of a profile; nothing is read yet.
  public init(_ location: StoreLocation, _ profile: ProfileName) {
    store = ProfileStore(location)
    self.profile = profile
    path = location.configFile("profiles/\(profile)/pins.json")
  }

  /// Reads the pins; no pins if there is no file.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged;
  ///   ``SDKError/Code/store`` if it cannot be read.
  public func load() throws(SDKError) -> PinSets {
    guard let document = try document() else {
      return PinSets(publicSuffixes: .system)
    }
    return try attempt("could not read '\(document.path)'", as: .invalidConfiguration) {
      PinSets(try PinDocument.sets(in: document.members), publicSuffixes: .system)
    }
  }

  /// The document as it is, the user's or the site's; `nil` if there is no file.
  package func document() throws(SDKError) -> StoreDocument? { try store.pinDocument(of: profile) }

  /// Writes the pins; members of the document that are not pins stay.
  ///
  /// - Throws: ``SDKError/Code/store`` if the document cannot be written;
  ///   ``SDKError/Code/invalidConfiguration`` for a profile of the site.
  public func save(_ sets: PinSets) throws(SDKError) {
    if store.isOfSite(profile) { try store.requireOwn(profile) }
    var document = try StoreDocument.existing(path, .shared)
    document.members = PinDocument.members(sets.sets, over: document.members)
    try document.write()
  }
}
